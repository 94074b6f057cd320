package dev.millrace.testkit.sim;

import dev.millrace.api.Call;
import dev.millrace.testkit.KeyPool;
import java.util.List;

/// An operator of a drawn topology, in words that say what to build and what to compute. Operators
/// are named by their index; inputs have smaller ones.
sealed interface Op {

  /// @param keyed whether records have their item's key, which says the partition; else none
  /// @param disorderMillis how far behind those before it an item of a partition may be
  /// @param time what the application knows of that
  record FromTopic(String topic, int partitions, boolean keyed, int disorderMillis, Time time)
      implements Op {}

  /// How a source's watermark is known.
  enum Time {
    /// By the bound on the disorder.
    BOUNDED,
    /// Not: the application says that there is no disorder, so that items come late.
    UNKNOWN,
    /// By marks among the items, which come in no order in between.
    MARKED
  }

  /// Those whose number is no multiple.
  record Filter(int from, int modulo) implements Op {}

  /// A larger number.
  record MapValues(int from, int added) implements Op {}

  /// A longer key, of the item; that of the record is dropped.
  record Map(int from) implements Op {}

  /// [Item#several]; the record's key is dropped.
  record FlatMap(int from) implements Op {}

  record Merge(int from, int other) implements Op {}

  /// As [Filter]; the others are [Rest].
  record Branch(int from, int modulo) implements Op {}

  /// Those that [Branch] leaves.
  record Rest(int from, int modulo) implements Op {}

  /// The same items under another key.
  record Group(int from, By by) implements Op {}

  /// A share of all keys.
  ///
  /// @param byItem whether by the item's; else by that of the records
  record Sample(int from, int percent, boolean byItem) implements Op {}

  /// Items that are not less than a time behind another.
  record Deduplicate(int from, By by, int withinMillis, Alike alike) implements Op {}

  /// Which items of a key are taken for the same.
  enum Alike {
    ALL,
    /// Those whose numbers leave the same remainder.
    REMAINDER,
    /// Those that are equal but for their times.
    EQUAL;

    String of(Item item) {
      return switch (this) {
        case ALL -> "";
        case REMAINDER -> "r" + item.number() % 3;
        case EQUAL -> item.key() + " " + item.number();
      };
    }
  }

  /// Asks [OtherSystem].
  record Ask(int from, Way way, Call.Order order, Trouble trouble, int inFlight, boolean cached)
      implements Op {}

  /// How it is asked.
  enum Way {
    BLOCKING,
    FUTURE,
    BATCHED
  }

  /// What goes wrong there.
  enum Trouble {
    NONE,
    /// Calls fail or are never answered, and are repeated.
    PASSING,
    /// The same, and all calls pause for a while.
    PAUSING,
    /// Some things cannot be answered.
    LASTING
  }

  /// Running sums of the numbers of each key; where there are ticks, one at each that has items.
  record Sum(int from, By by) implements Op {}

  /// The sum of the numbers of each key, and what becomes of it when an item is taken back.
  record Table(int from, By by) implements Op {}

  /// The last item of each key of a topic, which is read once more as a table.
  ///
  /// @param from the [FromTopic]
  record TopicTable(int from) implements Op {}

  /// Of each key and window how many items, or the sum of their numbers.
  ///
  /// @param late whether items may be late
  /// @param failing results that are one more than a multiple of it cannot be told; 0 if all can
  record Windowed(
      int from, By by, Shape shape, boolean sums, Firing firing, boolean late, int failing)
      implements Op {

    /// Whether a result cannot be told.
    boolean fails(long result) {
      return failing > 0 && result % failing == 1;
    }
  }

  /// Of each key and window how many items each of two streams has.
  ///
  /// @param late whether items may be late
  record Together(int from, int other, Shape shape, boolean late) implements Op {
    static long number(long left, long right) {
      return 1_000 * left + right;
    }
  }

  /// When results of windows come.
  enum Firing {
    /// At their ends.
    AT_END,
    /// Before that as well.
    EARLY,
    /// When nothing corrects them any more.
    ONLY_FINAL
  }

  /// The largest counts of each window.
  ///
  /// @param groups that the counts are in, each with a ranking of its own; 0 if there is one for
  ///   all
  /// @param late whether items may be late
  record Top(int from, By by, Shape shape, int most, int groups, boolean late) implements Op {
    /// The group of a count.
    static String group(long count, int groups) {
      return "t" + count % groups;
    }
  }

  /// Pairs of items with equal keys, of which the second is not much earlier or later.
  ///
  /// @param kept which sides are kept without a partner
  /// @param late whether items may be late
  record Join(int from, int other, int before, int after, Kept kept, boolean late) implements Op {}

  /// Items, each with the sum of another stream's last window that was over at its time.
  ///
  /// @param millis the size of the windows
  /// @param modulo sums that are multiples of it are none; 0 if all are some
  /// @param kept whether an item is kept that finds none: NONE or LEFT
  /// @param late whether items may be late
  record JoinAsOf(int from, int other, int millis, int modulo, Kept kept, boolean late)
      implements Op {

    /// Whether a sum counts.
    boolean passes(long sum) {
      return modulo == 0 || sum % modulo != 0;
    }
  }

  /// The entries of two tables with equal keys.
  ///
  /// @param kept which sides are kept without a partner
  record JoinTables(int from, int other, Kept kept) implements Op {}

  /// The entries of a table, each with the entry of another that its number refers to.
  ///
  /// @param modulo by which the other table's keys are grouped; 0 for items' keys
  /// @param kept whether an entry is kept that refers to none: NONE or LEFT
  record JoinForeign(int from, int other, int modulo, Kept kept) implements Op {}

  /// Sides of a join.
  enum Kept {
    NONE,
    LEFT,
    BOTH
  }

  /// How time is cut.
  ///
  /// @param millis the size of windows, or the gap of sessions; where items tell it, what it is a
  ///   multiple of
  /// @param every from one window to the next, where they begin at regular times
  record Shape(Cut cut, int millis, int every) {

    /// Windows that begin at regular times.
    Shape(int millis, int every) {
      this(Cut.REGULAR, millis, every);
    }

    /// Whether windows are the same for all keys.
    boolean aligned() {
      return cut == Cut.REGULAR || cut.ofCalendar();
    }

    /// The size of the window of an item that tells it.
    long told(Item item) {
      return millis * (1 + item.number() % 3);
    }
  }

  /// Kinds of windows.
  enum Cut {
    REGULAR,
    SESSIONS,
    /// One that ends with each item.
    SLIDING,
    /// Each item tells the size.
    TOLD,
    /// In the time zone of the topology's [Era].
    DAYS,
    WEEKS,
    MONTHS,
    YEARS;

    /// How an operator cuts time.
    static Cut of(Op op) {
      return switch (op) {
        case Windowed windowed -> windowed.shape().cut();
        case Together together -> together.shape().cut();
        case Top top -> top.shape().cut();
        default -> REGULAR;
      };
    }

    boolean ofCalendar() {
      return switch (this) {
        case DAYS, WEEKS, MONTHS, YEARS -> true;
        case REGULAR, SESSIONS, SLIDING, TOLD -> false;
      };
    }
  }

  /// [Buckets].
  record Bucketed(int from, By by) implements Op {}

  /// Of each key how many items each window of a number of items has, or the sum of their numbers.
  ///
  /// @param items of a window; 0 for all there are
  /// @param timed whether the latest time of a window is determined
  /// @param collects whether all values are kept
  record Counted(
      int from, By by, int items, boolean sums, boolean timed, boolean early, boolean collects)
      implements Op {}

  /// Items that wait for the clock; see [Delays].
  record Delayed(int from, By by, int mostMillis) implements Op {}

  /// @param retractions whether what is taken back is written, too
  record ToTopic(int from, String topic, int partitions, boolean retractions, Manner manner)
      implements Op {}

  /// What items are brought together by.
  ///
  /// @param exchange whether through one; else by the key the records have
  /// @param modulo of the number, through an exchange; 0 for the item's key
  record By(boolean exchange, int modulo) {
    private static final KeyPool GROUPS = KeyPool.all();

    /// The new key of an item that goes through an exchange.
    static String key(Item item, int modulo) {
      return modulo == 0 ? item.key() : group(item.number(), modulo);
    }

    /// The key of all items whose numbers have the same remainder.
    static String group(long number, int modulo) {
      return GROUPS.text(number % modulo);
    }
  }

  /// What operators and topics are called after.
  static String name(int index) {
    return "op-" + index;
  }

  /// The operators before this one, by their places in the topology.
  default List<Integer> inputs() {
    return switch (this) {
      case FromTopic _ -> List.of();
      case Filter(int from, _) -> List.of(from);
      case MapValues(int from, _) -> List.of(from);
      case Map(int from) -> List.of(from);
      case FlatMap(int from) -> List.of(from);
      case Branch(int from, _) -> List.of(from);
      case Rest(int from, _) -> List.of(from);
      case Sample sample -> List.of(sample.from());
      case Deduplicate deduplicate -> List.of(deduplicate.from());
      case Group(int from, _) -> List.of(from);
      case Ask ask -> List.of(ask.from());
      case Merge(int from, int other) -> List.of(from, other);
      case Sum(int from, _) -> List.of(from);
      case Table(int from, _) -> List.of(from);
      case TopicTable _ -> List.of(); // it reads the topic itself
      case Join join -> List.of(join.from(), join.other());
      case JoinAsOf join -> List.of(join.from(), join.other());
      case Together(int from, int other, _, _) -> List.of(from, other);
      case JoinTables(int from, int other, _) -> List.of(from, other);
      case JoinForeign join -> List.of(join.from(), join.other());
      case Windowed windowed -> List.of(windowed.from());
      case Top(int from, _, _, _, _, _) -> List.of(from);
      case Bucketed(int from, _) -> List.of(from);
      case Delayed(int from, _, _) -> List.of(from);
      case Counted counted -> List.of(counted.from());
      case ToTopic sink -> List.of(sink.from());
    };
  }
}
