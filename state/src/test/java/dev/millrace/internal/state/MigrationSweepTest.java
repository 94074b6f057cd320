package dev.millrace.internal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.Clock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores whose values were texts and become numbers, while they are read, written, rolled back and
/// crashed. The oracle is a map of numbers; the changelog and the disk say which version wrote
/// what.
final class MigrationSweepTest {
  static final Serde<String> OLD = Serdes.string();
  static final Serde<Long> NEW = Serdes.version(2, Serdes.longs()).from(1, OLD, Long::valueOf);
  private static final int PLAIN = 1;
  private static final int RANGED = 2;
  private static final int KEYS = 300;
  private static final String BAD = "no number";

  private record Change(Bytes key, @Nullable Bytes value) {}

  private static <V> List<NumberedStore> stores(Serde<V> values, boolean versions) {
    StoreSpec<String, V> plain = StoreSpec.keyValue("plain", Serdes.string(), values);
    StoreSpec<String, V> ranged = StoreSpec.keyValue("ranged", Serdes.string(), values);
    return List.of(
        new NumberedStore(PLAIN, plain, 0, versions),
        new NumberedStore(RANGED, ranged.withRanges(), 0, versions));
  }

  /// A task, its changelog and what it must hold.
  private static final class Model {
    final Random random;
    final List<Change> changelog = new ArrayList<>();
    final List<Change> sent = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    final Map<String, Long> committed = new TreeMap<>();
    final Map<String, @Nullable Long> live = new TreeMap<>();
    final Map<String, @Nullable Long> marked = new TreeMap<>();
    final StateLimits limits;
    final Map<String, @Nullable Long> pending = new TreeMap<>();
    final RolledOutNumbers serde = new RolledOutNumbers();
    boolean isPending;
    boolean marks;
    long nanos;
    long migrated;
    FakeDisk disk = new FakeDisk();
    TaskState state;

    /// Reading it takes time.
    final Clock clock =
        new Clock() {
          @Override
          public long millis() {
            return 0;
          }

          @Override
          public long nanos() {
            return nanos += 10;
          }
        };

    Model(long seed) {
      random = new Random(seed);
      StateLimits some = StateLimits.defaults();
      limits =
          switch (random.nextInt(3)) {
            case 0 -> some.withCacheBytes(0);
            case 1 -> some.withCacheBytes(4_000);
            default -> some;
          };
      state = new TaskState("0-0", disk, stores(OLD, false), limits);
      writeTexts();
    }

    /// In the version before; some of it stays in the changelog.
    private void writeTexts() {
      for (int commit = 0; commit < 4; commit++) {
        for (int i = 0; i < KEYS; i++) {
          int store = 1 + random.nextInt(2);
          String key = "k" + random.nextInt(KEYS);
          boolean bad = random.nextInt(100) == 0;
          long value = random.nextInt(1_000);
          state.<String, String>store(store).put(key, bad ? BAD : Long.toString(value));
          live.put(store + key, bad ? null : value);
        }
        commitOnly();
        if (random.nextBoolean()) {
          state.flush(position());
        }
      }
      restart();
    }

    private byte[] position() {
      return ByteBuffer.allocate(4).putInt(changelog.size()).array();
    }

    void restart() {
      FakeDisk left = disk.reopened();
      disk = left;
      state = new TaskState("0-0", left, stores(serde, true), limits);
      byte[] position = state.diskPosition();
      int from = position == null ? 0 : ByteBuffer.wrap(position).getInt();
      for (Change change : changelog.subList(from, changelog.size())) {
        state.restoring().restore(change.key(), change.value());
      }
      if (serde.over) {
        state.migration().begin();
      }
      forget();
    }

    private void forget() {
      live.clear();
      pending.clear();
      isPending = false;
      marks = false;
    }

    private void commitOnly() {
      collect();
      acknowledge();
    }

    private void collect() {
      sent.clear();
      state.collect(
          (key, value) -> sent.add(new Change(key.copy(), value == null ? null : value.copy())));
      pending.putAll(live);
      live.clear();
      isPending = true;
      marks = false;
    }

    private void acknowledge() {
      state.acknowledge();
      isPending = false;
      changelog.addAll(sent);
      sent.forEach(each -> migrated += isNew(each.value()) ? 1 : 0);
      pending.forEach((key, value) -> {
        if (value == null) {
          committed.remove(key);
        } else {
          committed.put(key, value);
        }
      });
      pending.clear();
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        step();
      }
    }

    void endRollout() {
      serde.over = true;
      state.migration().begin();
    }

    private void step() {
      switch (random.nextInt(40)) {
        case 0, 1, 2 -> {
          if (isPending) {
            acknowledge();
          } else {
            collect();
          }
        }
        case 14, 15 -> {
          if (!isPending) {
            migrate(random.nextInt(20));
          }
        }
        case 3 -> {
          if (!state.isFlushing()) {
            state.beginFlush(position());
          }
        }
        case 4 -> {
          if (state.isFlushing()) {
            state.finishFlush();
          }
        }
        case 5 -> {
          if (random.nextInt(4) == 0) {
            state.rollBack();
            forget();
          }
        }
        case 6 -> {
          if (random.nextInt(10) == 0) {
            restart();
          }
        }
        case 7 -> {
          state.mark();
          marked.clear();
          marked.putAll(live);
          marks = true;
        }
        case 8 -> {
          if (marks) {
            state.undo();
            live.clear();
            live.putAll(marked);
          }
        }
        case 9, 10, 11, 12 -> put(random.nextInt(1_000));
        case 13 -> put(null);
        default -> read();
      }
    }

    private void migrate(int budgetNanos) {
      state.migration().step(clock, budgetNanos, random.nextInt(200));
      told.addAll(state.migration().takeFailures());
    }

    private void put(@Nullable Integer value) {
      int number = 1 + random.nextInt(2);
      String key = "k" + random.nextInt(KEYS);
      CachedStore<String, Long> store = state.store(number);
      if (value == null) {
        store.delete(key);
      } else {
        store.put(key, (long) value);
      }
      live.put(number + key, value == null ? null : (long) value);
    }

    private void read() {
      int number = 1 + random.nextInt(2);
      String key = "k" + random.nextInt(KEYS);
      Long expected = value(number + key);
      if (expected != null || !isBad(number, key)) {
        assertEquals(expected, state.<String, Long>store(number).get(key));
      }
    }

    private @Nullable Long value(String key) {
      if (live.containsKey(key)) {
        return live.get(key);
      }
      return pending.containsKey(key) ? pending.get(key) : committed.get(key);
    }

    private boolean isBad(int number, String key) {
      return !live.containsKey(number + key)
          && !pending.containsKey(number + key)
          && BAD.equals(textOf(latest().get(full(number, key))));
    }

    private Map<Bytes, Bytes> latest() {
      Map<Bytes, Bytes> latest = new TreeMap<>();
      for (Change change : changelog) {
        if (change.value() == null) {
          latest.remove(change.key());
        } else {
          latest.put(change.key(), change.value());
        }
      }
      return latest;
    }

    /// Goes on until all is migrated, and looks at each value.
    void finish() {
      state.rollBack();
      forget();
      for (int i = 0; i < 2_000 && !state.migration().isOver(); i++) {
        assertTrue(i < 4 || state.migration().needsCommit());
        commitOnly();
        state.flush(position());
        migrate(0);
      }
      assertTrue(state.migration().isOver());
      assertEquals(0, state.migration().step(clock, 1_000, 1_000));
      state.flush(position());
      Map<String, Long> found = new TreeMap<>();
      latest()
          .forEach((key, value) -> {
            String name = key.get(1) + StoreTable.withoutNumber(key).toUtf8();
            if (isNew(value)) {
              found.put(name, NEW.read(value));
            } else {
              assertEquals(BAD, textOf(value), name);
            }
          });
      assertEquals(committed, found);
      assertEquals(latest(), disk.entries());
    }
  }

  private static Bytes full(int number, String key) {
    byte[] text = Bytes.ofUtf8(key).toByteArray();
    return Bytes.of(
        ByteBuffer.allocate(2 + text.length).putShort((short) number).put(text).array());
  }

  private static @Nullable String textOf(@Nullable Bytes value) {
    return value == null || isNew(value) ? null : OLD.read(value);
  }

  private static boolean isNew(@Nullable Bytes value) {
    return value != null && value.length() > 9 && value.get(0) == -1;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 100, 200, 300, 400, 500, 600, 700})
  void allValuesAreOfTheNewVersionInTheEndAndNoneIsAnother(long from) {
    for (long seed = from; seed < from + 20; seed++) {
      Model model = new Model(seed);
      model.run(model.random.nextInt(200));
      model.endRollout();
      model.run(model.random.nextInt(1_500));
      model.finish();
      assertTrue(model.migrated > 100, () -> "nothing to migrate: " + model.migrated);
    }
  }

  @Test
  void aValueThatCannotBeMigratedIsToldOnceAndCounted() {
    FakeDisk disk = new FakeDisk();
    TaskState before = new TaskState("0-0", disk, stores(OLD, false), StateLimits.defaults());
    CachedStore<String, String> texts = before.store(PLAIN);
    texts.put("a", "7");
    texts.put("b", BAD);
    texts.put("c", BAD);
    TaskStates.commitAndFlush(before);
    TaskState after = new TaskState("0-0", disk, stores(NEW, true), StateLimits.defaults());
    after.migration().begin();
    TaskStates.commit(after);
    TaskStates.commit(after);
    assertTrue(after.migration().step(STILL, 1_000, 1_000) > 0);
    assertTrue(after.migration().puts() > 0);
    List<String> failures = after.migration().takeFailures();
    assertEquals(1, failures.size());
    assertTrue(
        failures.getFirst().startsWith("The value of key 62 in store 'plain' of task 0-0 was not"),
        failures.getFirst());
    assertEquals(List.of(), after.migration().takeFailures());
    assertEquals(
        List.of(new StoreMigration("plain", 1, 2), new StoreMigration("ranged", 0, 0)),
        after.migration().progress());
    assertEquals(1, TaskStates.collect(after).size());
    assertThrows(IllegalStateException.class, () -> after.migration().step(STILL, 1_000, 1_000));
    after.acknowledge();
    assertTrue(after.migration().isOver());
  }

  @Test
  void storesWithATimeToLiveAndThoseWithoutVersionsAreLeftAlone() {
    StoreSpec<String, Long> spec = StoreSpec.keyValue("short", Serdes.string(), NEW);
    List<NumberedStore> stores =
        List.of(
            new NumberedStore(1, spec.withTimeToLive(Duration.ofDays(1)), 0, true),
            new NumberedStore(2, spec, 0, false));
    TaskState state = new TaskState("0-0", new FakeDisk(), stores, StateLimits.defaults());
    assertTrue(state.migration().isOver());
    state.migration().begin();
    assertFalse(state.migration().needsCommit());
    assertEquals(List.of(), state.migration().progress());
  }

  @Test
  void itEndsWithItsTimeAndGoesOnFromThere() {
    FakeDisk disk = new FakeDisk();
    TaskState before = new TaskState("0-0", disk, stores(OLD, false), StateLimits.defaults());
    for (int i = 0; i < 1_000; i++) {
      before.<String, String>store(PLAIN).put("k" + i, Integer.toString(i));
    }
    TaskStates.commitAndFlush(before);
    TaskState after = new TaskState("0-0", disk, stores(NEW, true), StateLimits.defaults());
    after.migration().begin();
    TaskStates.commit(after);
    TaskStates.commit(after);
    Clock clock = new Model(1).clock;
    List<Integer> steps = new ArrayList<>();
    while (!after.migration().isOver()) {
      after.migration().step(clock, 15, 1_000);
      steps.add(TaskStates.collect(after).size());
      after.acknowledge();
    }
    assertEquals(1_000, steps.stream().mapToInt(each -> each).sum());
    assertTrue(steps.size() > 5 && steps.getFirst() == 128, () -> "steps " + steps);
  }

  /// Reading the clock takes no time.
  private static final Clock STILL =
      new Clock() {
        @Override
        public long millis() {
          return 0;
        }

        @Override
        public long nanos() {
          return 0;
        }
      };

  private static void goOn(TaskState state) {
    for (int i = 0; i < 5; i++) {
      TaskStates.commitAndFlush(state);
      state.migration().step(STILL, 1_000, 1_000);
    }
    TaskStates.commitAndFlush(state);
    assertTrue(state.migration().isOver());
  }

  @Test
  void whatWasSavedInTheOldVersionBeforeItBeganIsMigratedToo() {
    RolledOutNumbers serde = new RolledOutNumbers();
    FakeDisk disk = new FakeDisk();
    TaskState state = new TaskState("0-0", disk, stores(serde, true), StateLimits.defaults());
    CachedStore<String, Long> store = state.store(PLAIN);
    store.put("a", 1L);
    TaskStates.collect(state);
    store.put("b", 2L);
    state.mark();
    serde.over = true;
    state.migration().begin();
    state.acknowledge();
    state.flush(new byte[] {1});
    state.migration().step(STILL, 1_000, 1_000);
    goOn(state);
    assertEquals(2, disk.entries().size());
    assertTrue(disk.entries().values().stream().allMatch(MigrationSweepTest::isNew));
  }

  @Test
  void whatIsCommittedWhileAnEarlierFlushIsUnderWayIsMigratedToo() {
    RolledOutNumbers serde = new RolledOutNumbers();
    FakeDisk disk = new FakeDisk();
    TaskState state = new TaskState("0-0", disk, stores(serde, true), StateLimits.defaults());
    CachedStore<String, Long> store = state.store(PLAIN);
    store.put("a", 1L);
    TaskStates.commit(state);
    state.beginFlush(new byte[] {1});
    store.put("b", 2L);
    TaskStates.commit(state);
    serde.over = true;
    state.migration().begin();
    TaskStates.commit(state);
    TaskStates.commit(state);
    state.finishFlush();
    assertFalse(state.migration().isReading());
    assertFalse(state.migration().needsCommit(), "it waits for the disk");
    goOn(state);
    assertTrue(disk.entries().values().stream().allMatch(MigrationSweepTest::isNew));
  }
}
