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
            "A timer is not stored.",
            OPERATORS + "rows.Timers",
            "set",
            new SkipCalls("KeyValueStore", "put"),
            "topologies",
            12),
        new Mutant(
            "next-timer-not-known",
            "A timer that is earlier than all known ones is not noticed.",
            OPERATORS + "rows.Timers",
            "set",
            new SkipCalls("DueEntries", "added"),
            "topologies",
            12),
        new Mutant(
            "cancelled-timer-fires",
            "A timer that was cancelled is not deleted.",
            OPERATORS + "rows.Timers",
            "cancel",
            new SkipCalls("KeyValueStore", "delete"),
            "topologies",
            29),
        new Mutant(
            "closed-windows-kept",
            "A window is not deleted after its final result was emitted.",
            OPERATORS + "window.WindowOperator",
            "advance",
            new SkipCalls("List", "forEach"),
            "sums",
            1),
        new Mutant(
            "windows-closed-early",
            "Records of a window's last seconds are treated as late.",
            OPERATORS + "AlignedPlaces",
            "visit",
            new AddToLastArgument("AlignedWindows", "gone", 3_000),
            "topologies",
            3),
        new Mutant(
            "key-in-several-partitions",
            "Records of one key are sent to several partitions of an exchange.",
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
            "A late row changes its window, and the result that was emitted is not retracted.",
            OPERATORS + "window.WindowOperator",
            "update",
            new SkipCalls("Changes", "before"),
            "topologies",
            17),
        new Mutant(
            "early-result-not-sent",
            "An early result is recorded as emitted and not emitted.",
            OPERATORS + "rows.EarlyResults",
            "emit",
            new SkipCalls("WindowRows", "replace"),
            "topologies",
            8),
        new Mutant(
            "sliding-windows-not-corrected",
            "A late row does not change windows that end at later rows.",
            OPERATORS + "window.SlidingWindowOperator",
            "correct",
            new DoNothing(),
            "topologies",
            505),
        new Mutant(
            "final-results-not-awaited",
            "Results that are to be final are emitted when their windows end, before the allowed"
                + " lateness.",
            CHAIN + "TimedOperator",
            "reach",
            new Redirect("InputTime", "delayed", "undelayed"),
            "topologies",
            78),
        new Mutant(
            "delays-not-announced",
            "The tasks after an exchange do not receive the delay of the tasks before it.",
            OUTPUT + "Announcements",
            "tell",
            new Redirect("InputTime", "delayed", "undelayed"),
            "topologies",
            771));
  }

  /// What is wrong about partitions that fall silent.
  static List<Mutant> ofIdleness() {
    return List.of(
        new Mutant(
            "silence-not-noticed",
            "A partition that has become idle holds back event time for ever.",
            INPUT + "Idleness",
            "look",
            new SkipCalls("InputTime$OfSource", "idle"),
            "silences",
            1),
        new Mutant(
            "idle-tasks-hold-back-others",
            "Tasks after an exchange wait for tasks that have reported that they are idle.",
            TIME + "InputTime$OfExchange",
            "watermark",
            new Redirect("InputTime", "least", "leastOfAll"),
            "silences",
            6));
  }

  /// What is wrong about rows that are aggregated before they are sent.
  static List<Mutant> ofCombining() {
    return List.of(
        new Mutant(
            "only-first-row-combined",
            "An aggregate of several rows of a batch contains only the first of them.",
            CHAIN + "CombineStep",
            "add",
            new SkipCalls("Rows", "replace"),
            "sums",
            1),
        new Mutant(
            "combined-across-windows",
            "Rows of different windows become one aggregate.",
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
            "The rows of a full counted window are also in the next one.",
            OPERATORS + "window.RecordWindowOperator",
            "forget",
            new SkipCalls("Panes", "delete"),
            "topologies",
            26),
        new Mutant(
            "early-counts-not-retracted",
            "Early results of a window without an end are not retracted.",
            OPERATORS + "window.RecordWindowOperator",
            "show",
            new SkipCalls("RowSink", "retract"),
            "topologies",
            64),
        new Mutant(
            "windows-without-end-forgotten",
            "When the input ends, windows that are not full emit no result.",
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
            "After an exchange, event times before 1970 are far in the future.",
            CHAIN + "Chain",
            "process",
            new Redirect("ExchangeTime", "ofTimestamp", "asItStands"),
            "topologies",
            2),
        new Mutant(
            "results-of-the-next-tick-let-through",
            "Changes of several ticks are emitted at one tick.",
            OPERATORS + "table.TickOperator",
            "takeTick",
            new Redirect("TickOperator", "lastTick", "oneTick"),
            "topologies",
            22),
        new Mutant(
            "summer-time-all-year",
            "Days and months begin an hour too early in winter time.",
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
            "For a source that knows its watermark, the latest record sets the watermark.",
            CHAIN + "SourceTimes",
            "ask",
            new Redirect("Watermark", "after", "theLatest"),
            "topologies",
            65),
        new Mutant(
            "passed-times-not-kept",
            "The time at which a record was passed on is not stored.",
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
            "A ranking is not deleted after it was emitted.",
            OPERATORS + "window.TopKOperator",
            "advance",
            new SkipCalls("Firing", "settle"),
            "topologies",
            3),
        new Mutant(
            "groups-forgotten",
            "Values that are ranked in groups are not stored and emitted by group.",
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
            "A timer that has fired is not deleted.",
            OPERATORS + "rows.Timers",
            "fire",
            new SkipCalls("KeyValueStore", "delete"),
            "topologies",
            83),
        new Mutant(
            "clock-timers-too-early",
            "When a processing-time timer is due, those of the next second fire, too.",
            LOOP + "TaskAdvance",
            "tick",
            new Redirect("TaskClock", "millis", "aSecondLater"),
            "topologies",
            83),
        new Mutant(
            "clock-timers-as-event-timers",
            "After a start, processing-time timers fire as event-time timers.",
            OPERATORS + "rows.Timers",
            "<init>",
            new SkipCalls("DueEntries", "startAt"),
            "topologies",
            112),
        new Mutant(
            "clock-goes-back",
            "A task that continues uses the clock of its host although it has had a later time.",
            TIME + "TaskClock",
            "<init>",
            new Redirect("Math", "max", "theSecond"),
            "topologies",
            226));
  }

  /// What is wrong about what sinks set.
  static List<Mutant> ofSinks() {
    return List.of(
        new Mutant(
            "headers-of-the-record-before",
            "A record is written with its headers and those of the record before it.",
            CHAIN + "Rows",
            "headers",
            new SkipCalls("RecordHeaders", "clear"),
            "topologies",
            1),
        new Mutant(
            "retraction-not-marked-with-headers",
            "A retraction whose headers are set is not marked as a retraction.",
            CHAIN + "SentHeaders",
            "end",
            new SkipCalls("RecordHeaders", "add"),
            "topologies",
            2),
        new Mutant(
            "records-all-alike",
            "Operators get the first record of a batch in place of all of its records.",
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
            "time-not-held-back-after-calls",
            "Event time after a call does not wait for records without an answer.",
            CHAIN + "TimedOperator",
            "couldPass",
            new Redirect("AsyncOperator", "hold", "noHold"),
            "topologies",
            4),
        new Mutant(
            "unanswered-rows-not-kept",
            "Rows that wait for an answer are not part of the commit.",
            OPERATORS + "outside.CallOperator",
            "keep",
            new SkipCalls("KeyValueStore", "put"),
            "topologies",
            30),
        new Mutant(
            "answered-rows-kept",
            "Rows that were answered are not deleted, and are asked again.",
            OPERATORS + "outside.CallOperator",
            "forget",
            new SkipCalls("KeyValueStore", "delete"),
            "topologies",
            1),
        new Mutant(
            "answers-overtake",
            "Answers of a key are passed on in the order in which they arrive.",
            OPERATORS + "outside.CallOperator",
            "line",
            new Redirect("Call", "order", "noOrder"),
            "topologies",
            31));
  }
}
