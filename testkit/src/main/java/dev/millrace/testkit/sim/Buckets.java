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

/// Windows made by hand, of everything a processor has: items are kept in a store with ranges until
/// a timer at the bucket's end sums and deletes them; another timer, set by the first, says that it
/// came; a third one is cancelled and must never come. What it emits does not depend on the order
/// of the items.
final class Buckets implements Processor<String, Item, Item> {
  static final int MILLIS = 4_000;

  /// What the second timer of a bucket emits.
  static final long ECHO = 1_000_000;

  /// A place for equal items, in the order of keys and times.
  record Slot(String key, long at, long number) {}

  private final StoreSpec<Slot, Long> slotsSpec;
  private final StoreSpec<String, Long> countsSpec;
  private @Nullable ProcessorContext<String> context;
  private @Nullable KeyValueStore<Slot, Long> slots;
  private @Nullable KeyValueStore<String, Long> counts;

  Buckets(String name) {
    slotsSpec = slots(name);
    countsSpec = counts(name);
  }

  static StoreSpec<Slot, Long> slots(String name) {
    return StoreSpec.keyValue(name + "-slots", Serdes.orderedRecord(Slot.class), Serdes.longs())
        .withRanges();
  }

  static StoreSpec<String, Long> counts(String name) {
    return StoreSpec.keyValue(name + "-counts", Serdes.string(), Serdes.longs());
  }

  /// The first end of a bucket behind a time.
  static long end(long at) {
    return Math.floorDiv(at, MILLIS) * MILLIS + MILLIS;
  }

  @Override
  public void open(ProcessorContext<String> opened) {
    context = opened;
    slots = opened.store(slotsSpec);
    counts = opened.store(countsSpec);
  }

  @Override
  public void process(Records<String, Item> records, Output<Item> out) {
    ProcessorContext<String> timers = Objects.requireNonNull(context);
    while (records.next()) {
      String key = Objects.requireNonNull(records.key());
      Item item = records.value();
      add(Objects.requireNonNull(slots), new Slot(key, item.at(), item.number()));
      add(Objects.requireNonNull(counts), key);
      timers.setTimer(key, end(item.at()));
      timers.setTimer(key, end(item.at()) + 2);
      timers.cancelTimer(key, end(item.at()) + 2);
    }
  }

  private static <K> void add(KeyValueStore<K, Long> store, K key) {
    Long count = store.get(key);
    store.put(key, count == null ? 1 : count + 1);
  }

  @Override
  public void onTimer(String key, long timestamp, Output<Item> out) {
    if (Math.floorMod(timestamp, MILLIS) == 1) {
      out.emit(new Item(key, ECHO, timestamp));
      return;
    }
    if (Math.floorMod(timestamp, MILLIS) != 0) {
      throw new IllegalStateException("A timer that was cancelled came at " + timestamp + ".");
    }
    KeyValueStore<Slot, Long> kept = Objects.requireNonNull(slots);
    List<Slot> done = new ArrayList<>();
    long[] sum = new long[1];
    kept.range(
        new Slot(key, timestamp - MILLIS, 0),
        new Slot(key, timestamp, 0),
        (slot, count) -> {
          done.add(slot);
          sum[0] += slot.number() * count;
          return true;
        });
    done.forEach(kept::delete);
    Objects.requireNonNull(context).setTimer(key, timestamp + 1);
    out.emit(new Item(key, sum[0], timestamp));
  }
}
