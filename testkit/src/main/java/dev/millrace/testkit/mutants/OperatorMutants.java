package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.AddToLastArgument;
import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.List;

/// The planted bugs of operators.
final class OperatorMutants {
  private static final String CHAIN = "dev.millrace.internal.engine.chain.";
  private static final String INPUT = "dev.millrace.internal.engine.input.";
  private static final String LOOP = "dev.millrace.internal.engine.loop.";
  private static final String OPERATORS = "dev.millrace.internal.engine.operators.";
  private static final String OUTPUT = "dev.millrace.internal.engine.output.";
  private static final String TIME = "dev.millrace.internal.engine.time.";

  private OperatorMutants() {}

  /// What operators and exchanges get wrong.
  static List<Mutant> ofOperators() {
    return List.of(
        new Mutant(
            "timer-lost",
            "A timer is not kept.",
            OPERATORS + "rows.Timers",
            "set",
            new SkipCalls("KeyValueStore", "put"),
            "topologies",
            12),
        new Mutant(
            "next-timer-not-known",
            "A timer that is earlier than all that are known is not noticed.",
            OPERATORS + "rows.Timers",
            "set",
            new SkipCalls("DueEntries", "added"),
            "topologies",
            12),
        new Mutant(
            "cancelled-timer-fires",
            "A timer that was cancelled stays.",
            OPERATORS + "rows.Timers",
            "cancel",
            new SkipCalls("KeyValueStore", "delete"),
            "topologies",
            29),
        new Mutant(
            "closed-windows-kept",
            "A window's results are sent and not forgotten.",
            OPERATORS + "window.WindowOperator",
            "advance",
            new SkipCalls("List", "forEach"),
            "sums",
            1),
        new Mutant(
            "windows-closed-early",
            "Records of a window's last seconds are taken for late.",
            OPERATORS + "AlignedPlaces",
            "visit",
            new AddToLastArgument("AlignedWindows", "gone", 3_000),
            "topologies",
            3),
        new Mutant(
            "keys-wander",
            "Records of one key go to several partitions of an exchange.",
            CHAIN + "SendStep",
            "apply",
            new Redirect("Partitioner", "partition", "anyPartition"),
            "sums",
            1));
  }

  /// What windows get wrong, and what is said of time behind them.
  static List<Mutant> ofWindows() {
    return List.of(
        new Mutant(
            "late-rows-correct-nothing",
            "A late row changes its pane, and what was emitted is not taken back.",
            OPERATORS + "window.WindowOperator",
            "update",
            new SkipCalls("Changes", "before"),
            "topologies",
            17),
        new Mutant(
            "early-result-not-sent",
            "An early result is kept as if it had been sent.",
            OPERATORS + "rows.EarlyResults",
            "emit",
            new SkipCalls("WindowRows", "replace"),
            "topologies",
            8),
        new Mutant(
            "sliding-windows-not-corrected",
            "A late row changes no window that ends with a row behind it.",
            OPERATORS + "window.SlidingWindowOperator",
            "correct",
            new DoNothing(),
            "topologies",
            505),
        new Mutant(
            "final-results-not-awaited",
            "Results that are to be final come when their windows end.",
            CHAIN + "TimedOperator",
            "reach",
            new Redirect("InputTime", "delayed", "undelayed"),
            "topologies",
            78),
        new Mutant(
            "delays-not-announced",
            "The tasks behind an exchange do not hear of a delay before it.",
            OUTPUT + "Announcements",
            "make",
            new Redirect("InputTime", "delayed", "undelayed"),
            "topologies",
            771));
  }

  /// What is wrong about partitions that fall silent.
  static List<Mutant> ofIdleness() {
    return List.of(
        new Mutant(
            "silence-not-noticed",
            "A partition that has fallen silent holds back event time for ever.",
            INPUT + "Idleness",
            "look",
            new SkipCalls("InputTime$OfSource", "idle"),
            "silences",
            1),
        new Mutant(
            "idle-tasks-hold-back-others",
            "Tasks behind an exchange wait for those that have said that they are idle.",
            TIME + "InputTime$OfExchange",
            "watermark",
            new Redirect("InputTime", "least", "leastOfAll"),
            "silences",
            3));
  }

  /// What is wrong about rows that are aggregated before they are sent.
  static List<Mutant> ofCombining() {
    return List.of(
        new Mutant(
            "only-first-row-combined",
            "Of the rows of a batch that become one aggregate only the first is in it.",
            CHAIN + "CombineStep",
            "add",
            new SkipCalls("Rows", "replace"),
            "sums",
            1),
        new Mutant(
            "combined-across-windows",
            "Rows that lie in different windows become one aggregate.",
            CHAIN + "CombineStep",
            "add",
            new SkipCalls("LongUnaryOperator", "applyAsLong"),
            "sums",
            1));
  }

  /// What is wrong about windows that do not end at a time.
  static List<Mutant> ofCountedWindows() {
    return List.of(
        new Mutant(
            "full-windows-kept",
            "What a window of so many rows has goes on into the next one.",
            OPERATORS + "window.RecordWindowOperator",
            "forget",
            new SkipCalls("Panes", "delete"),
            "topologies",
            26),
        new Mutant(
            "shown-counts-not-taken-back",
            "Of a window without an end each early result stays.",
            OPERATORS + "window.RecordWindowOperator",
            "show",
            new SkipCalls("RowSink", "retract"),
            "topologies",
            64),
        new Mutant(
            "windows-without-end-forgotten",
            "When the input ends, windows that are not full give no result.",
            OPERATORS + "window.RecordWindowOperator",
            "note",
            new SkipCalls("Notes", "put"),
            "topologies",
            26));
  }

  /// What is wrong about ticks, watermarks, and what is kept of time.
  static List<Mutant> ofTime() {
    return List.of(
        new Mutant(
            "sign-of-a-time-lost",
            "Behind an exchange what happened before 1970 lies far ahead.",
            CHAIN + "Chain",
            "process",
            new Redirect("ExchangeTime", "ofTimestamp", "asItStands"),
            "topologies",
            2),
        new Mutant(
            "results-of-the-next-tick-let-through",
            "What belongs to several ticks is taken for one.",
            OPERATORS + "table.TickOperator",
            "takeTick",
            new Redirect("TickOperator", "lastTick", "oneTick"),
            "topologies",
            22),
        new Mutant(
            "summer-time-all-year",
            "Days and months begin an hour too early while clocks are not ahead.",
            OPERATORS + "CalendarWindows",
            "millis",
            new Redirect("LocalDate", "atStartOfDay", "startInSummerTime"),
            "topologies",
            3),
        new Mutant(
            "weeks-from-sunday",
            "Weeks begin a day too early.",
            OPERATORS + "CalendarWindows",
            "first",
            new Redirect("TemporalAdjusters", "previousOrSame", "sundayBefore"),
            "topologies",
            353),
        new Mutant(
            "years-of-365-days",
            "A leap year ends a day too early.",
            OPERATORS + "CalendarWindows",
            "next",
            new Redirect("LocalDate", "plusYears", "plus365Days"),
            "topologies",
            73),
        new Mutant(
            "own-watermark-too-early",
            "Of a source that knows its watermark the latest record sets the time.",
            CHAIN + "SourceTimes",
            "ask",
            new Redirect("Watermark", "after", "theLatest"),
            "topologies",
            65),
        new Mutant(
            "passed-times-not-kept",
            "It is not kept when a record went on.",
            OPERATORS + "table.DeduplicateOperator",
            "pass",
            new SkipCalls("KeyValueStore", "put"),
            "topologies",
            3));
  }

  /// What rankings get wrong.
  static List<Mutant> ofRankings() {
    return List.of(
        new Mutant(
            "closed-rankings-kept",
            "A ranking is sent and not forgotten.",
            OPERATORS + "window.TopKOperator",
            "advance",
            new SkipCalls("Firing", "settle"),
            "topologies",
            3),
        new Mutant(
            "groups-forgotten",
            "What is ranked in groups is not kept and sent by group.",
            OPERATORS + "window.RankingPlaces",
            "group",
            new SkipCalls("TimeKey", "rowKey"),
            "topologies",
            7));
  }

  /// What is wrong about timers by the clock.
  static List<Mutant> ofClockTimers() {
    return List.of(
        new Mutant(
            "fired-timer-kept",
            "A timer that has fired stays.",
            OPERATORS + "rows.Timers",
            "fire",
            new SkipCalls("KeyValueStore", "delete"),
            "topologies",
            83),
        new Mutant(
            "clock-timers-too-early",
            "When a timer by the clock is due, so are those of the next second.",
            LOOP + "TaskAdvance",
            "tick",
            new Redirect("TaskClock", "millis", "aSecondLater"),
            "topologies",
            83),
        new Mutant(
            "clock-timers-taken-for-others",
            "After a start timers by the clock fire as if they were timers in event time.",
            OPERATORS + "rows.Timers",
            "<init>",
            new SkipCalls("DueEntries", "startAt"),
            "topologies",
            112),
        new Mutant(
            "clock-goes-back",
            "A task that goes on has the clock of its host, though it has had a later time.",
            TIME + "TaskClock",
            "<init>",
            new Redirect("Math", "max", "theSecond"),
            "topologies",
            270));
  }

  /// What is wrong about what sinks set.
  static List<Mutant> ofSinks() {
    return List.of(
        new Mutant(
            "headers-of-the-record-before",
            "A record is written with the headers of the one before it, too.",
            CHAIN + "Rows",
            "headers",
            new SkipCalls("RecordHeaders", "clear"),
            "topologies",
            1),
        new Mutant(
            "retraction-not-marked-behind-headers",
            "A record whose headers are set does not say that it takes back another.",
            CHAIN + "SentHeaders",
            "end",
            new SkipCalls("RecordHeaders", "add"),
            "topologies",
            2),
        new Mutant(
            "records-all-alike",
            "All records of a batch that operators see are the first of them.",
            CHAIN + "Step$WithMetadata",
            "record",
            new Redirect("List", "get", "theFirst"),
            "topologies",
            1));
  }

  /// What is wrong about calls to other systems.
  static List<Mutant> ofCalls() {
    return List.of(
        new Mutant(
            "time-not-held-behind-calls",
            "Event time behind a call does not wait for what was not answered.",
            CHAIN + "TimedOperator",
            "couldPass",
            new Redirect("AsyncOperator", "hold", "noHold"),
            "topologies",
            1),
        new Mutant(
            "unanswered-rows-not-kept",
            "What waits for an answer is not part of the commit.",
            OPERATORS + "outside.CallOperator",
            "keep",
            new SkipCalls("KeyValueStore", "put"),
            "topologies",
            30),
        new Mutant(
            "answered-rows-kept",
            "What was answered stays, and is asked again.",
            OPERATORS + "outside.CallOperator",
            "forget",
            new SkipCalls("KeyValueStore", "delete"),
            "topologies",
            1),
        new Mutant(
            "answers-overtake",
            "Answers of a key go on as they come.",
            OPERATORS + "outside.CallOperator",
            "line",
            new Redirect("Call", "order", "noOrder"),
            "topologies",
            31));
  }
}
