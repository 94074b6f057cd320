package dev.millrace.testkit.sim;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Serdes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Keeps each item until the clock has gone on for as long as its number says, some of them twice;
/// what is left when the input ends goes on then. Which of both it is, is chance; that each item
/// goes on once is not.
///
/// It sees for itself that timers by the clock come in the order of their times, none too early,
/// none left out, none that was cancelled, and that the clock never goes back.
final class Delays implements Processor<String, Item, Item> {
  /// Behind everything: a timer in event time fires here when the input has ended.
  private static final long END = 1_735_689_600_000L;

  /// A place for equal items, in the order in which they are due.
  ///
  /// @param due by the clock, an even number
  /// @param name the item's key
  /// @param rounds how often it waits again
  record Slot(long due, String key, String name, long at, long number, long rounds) {
    /// Sorts before all that are due then, of which some may be from before 1970.
    private static Slot first(long due) {
      return new Slot(due, "", "", Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);
    }

    private Item item() {
      return new Item(name, number, at);
    }
  }

  private final int mostMillis;
  private final StoreSpec<Slot, Long> slotsSpec;
  private final StoreSpec<String, Long> clocksSpec;
  private @Nullable ProcessorContext<String> context;
  private @Nullable KeyValueStore<Slot, Long> slots;
  private @Nullable KeyValueStore<String, Long> clocks;

  /// @param mostMillis how long an item waits at most, less two
  Delays(String name, int mostMillis) {
    this.mostMillis = mostMillis;
    slotsSpec = slots(name);
    clocksSpec = clocks(name);
  }

  static StoreSpec<Slot, Long> slots(String name) {
    return StoreSpec.keyValue(name + "-slots", Serdes.orderedRecord(Slot.class), Serdes.longs())
        .withRanges();
  }

  /// The latest time that a task has seen, by its name.
  static StoreSpec<String, Long> clocks(String name) {
    return StoreSpec.keyValue(name + "-clocks", Serdes.string(), Serdes.longs());
  }

  @Override
  public void open(ProcessorContext<String> opened) {
    context = opened;
    slots = opened.store(slotsSpec);
    clocks = opened.store(clocksSpec);
  }

  @Override
  public void process(Records<String, Item> records, Output<Item> out) {
    long now = clock();
    while (records.next()) {
      String key = Objects.requireNonNull(records.key());
      Item item = records.value();
      put(key, item, item.number() % 3 == 0 ? 1 : 0, now, 1);
      timers().setTimer(key, END);
    }
  }

  private ProcessorContext<String> timers() {
    return Objects.requireNonNull(context);
  }

  private KeyValueStore<Slot, Long> slots() {
    return Objects.requireNonNull(slots);
  }

  private void put(String key, Item item, long rounds, long now, long count) {
    long due = (now + 7 * item.number() % mostMillis) / 2 * 2 + 2;
    Slot slot = new Slot(due, key, item.key(), item.at(), item.number(), rounds);
    Long before = slots().get(slot);
    slots().put(slot, before == null ? count : before + count);
    timers().setClockTimer(key, due);
    timers().setClockTimer(key, due + 1);
    timers().cancelClockTimer(key, due + 1);
  }

  /// What the clock shows.
  private long clock() {
    KeyValueStore<String, Long> seen = Objects.requireNonNull(clocks);
    long now = timers().clock();
    Long before = seen.get(timers().task());
    if (before != null && before > now) {
      throw new IllegalStateException("The clock went back from " + before + " to " + now + ".");
    }
    seen.put(timers().task(), now);
    return now;
  }

  /// What is due from a time on and before another.
  private List<Slot> between(long from, long to) {
    List<Slot> found = new ArrayList<>();
    slots().range(Slot.first(from), Slot.first(to), (slot, _) -> found.add(slot));
    return found;
  }

  @Override
  public void onClockTimer(String key, long timestamp, Output<Item> out) {
    long now = clock();
    if (now < timestamp) {
      throw new IllegalStateException("A timer for " + timestamp + " came at " + now + ".");
    }
    List<Slot> before = between(0, timestamp);
    if (!before.isEmpty()) {
      throw new IllegalStateException("At " + timestamp + " came none of " + before + ".");
    }
    List<Slot> due = new ArrayList<>(between(timestamp, timestamp + 1));
    due.removeIf(slot -> !slot.key().equals(key));
    if (due.isEmpty()) {
      throw new IllegalStateException("Nothing of " + key + " is due at " + timestamp + ".");
    }
    for (Slot slot : due) {
      long count = Objects.requireNonNull(slots().get(slot));
      slots().delete(slot);
      if (slot.rounds() > 0) {
        put(key, slot.item(), slot.rounds() - 1, now, count);
      } else {
        emit(slot, count, out);
      }
    }
  }

  private static void emit(Slot slot, long count, Output<Item> out) {
    for (long i = 0; i < count; i++) {
      out.emit(slot.item());
    }
  }

  @Override
  public void onTimer(String key, long timestamp, Output<Item> out) {
    if (timestamp != END) {
      throw new IllegalStateException("A timer came at " + timestamp + " that was not set.");
    }
    List<Slot> left = new ArrayList<>(between(0, Long.MAX_VALUE));
    left.removeIf(slot -> !slot.key().equals(key));
    for (Slot slot : left) {
      emit(slot, Objects.requireNonNull(slots().get(slot)), out);
      slots().delete(slot);
      timers().cancelClockTimer(key, slot.due());
    }
  }
}
