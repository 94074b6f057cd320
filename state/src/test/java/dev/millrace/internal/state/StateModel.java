package dev.millrace.internal.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.spi.DiskException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Drives a [TaskState] at random and knows by itself what it must hold.
///
/// The oracle is three sorted maps from changelog keys to encoded values (live, pending and all
/// that was ever acknowledged), and the changelog as a list. It shares no code with what it checks
/// but the serdes.
final class StateModel {

  /// What is to be tested together.
  ///
  /// @param keys how many different keys a store gets at most
  /// @param commitEvery about how many operations lie between two commits
  /// @param flushEvery about how many commits lie between two flushes
  /// @param marksEvery about how many operations lie between two marks, or what undoes them
  record Setting(
      String name,
      List<Kind<?>> stores,
      long cacheBytes,
      int keys,
      int commitEvery,
      int flushEvery,
      int marksEvery) {
    @Override
    public String toString() {
      return "%s, cache %d, keys %d, commit every %d, flush every %d, marks every %d"
          .formatted(name, cacheBytes, keys, commitEvery, flushEvery, marksEvery);
    }
  }

  /// A kind of store: how its values are read and how they change.
  ///
  /// @param change gives the next value from the last one, which it may change in place
  record Kind<V>(
      int number, boolean ranges, Serde<V> serde, BiFunction<@Nullable V, Random, V> change) {
    NumberedStore spec() {
      StoreSpec<Bytes, V> spec = StoreSpec.keyValue("store-" + number, TestSerdes.VIEW, serde);
      return new NumberedStore(number, ranges ? spec.withRanges() : spec);
    }
  }

  private record Change(Bytes key, @Nullable Bytes value) {}

  private final Setting setting;
  private final Random random;
  private final List<byte[]> keys = new ArrayList<>();
  private final Map<Bytes, @Nullable Bytes> live = new LinkedHashMap<>();
  private final TreeMap<Bytes, @Nullable Bytes> pending = new TreeMap<>();
  private final TreeMap<Bytes, Bytes> committed = new TreeMap<>();

  /// What was acknowledged when the flush under way was begun, and its position.
  private final TreeMap<Bytes, Bytes> flushing = new TreeMap<>();

  private byte[] flushingPosition = {};
  private final List<Change> changelog = new ArrayList<>();
  private final List<Change> sent = new ArrayList<>();
  private final List<byte[]> handedOut = new ArrayList<>();
  private FakeDisk disk = new FakeDisk();
  private TaskState state;
  private boolean isFrozen;
  private boolean isPending;

  /// What was live at the last mark that can be gone back to.
  private @Nullable Map<Bytes, @Nullable Bytes> marked;

  /// Whether the order of the next commit is that of marks.
  private boolean anyMarks;

  StateModel(Setting setting, long seed) {
    this.setting = setting;
    random = new Random(seed);
    state = open(disk);
    while (keys.size() < setting.keys()) {
      byte[] key = new byte[random.nextInt(random.nextInt(8) == 0 ? 40 : 5)];
      for (int i = 0; i < key.length; i++) {
        key[i] = (byte) (random.nextInt(4) - 2);
      }
      keys.add(key);
    }
    List<byte[]> colliding = new ArrayList<>();
    setting.stores().forEach(kind -> colliding.addAll(CollidingKeys.of(kind.number())));
    // The first of all are used most.
    keys.addAll(random.nextBoolean() ? 0 : keys.size(), colliding);
  }

  /// Runs some random operations, each followed by a look at some of the state.
  void run(int operations) {
    for (int i = 0; i < operations; i++) {
      step();
      poison();
      checkSome();
      poison();
    }
    checkAll(state);
    checkReplayFromTheStart();
    state.close();
  }

  private void poison() {
    handedOut.forEach(array -> Arrays.fill(array, (byte) 0xDB));
    handedOut.clear();
  }

  private void step() {
    if (isFrozen && random.nextInt(8) == 0) {
      collect();
    } else if (random.nextInt(setting.commitEvery()) == 0) {
      commitStep();
    } else if (random.nextInt(setting.commitEvery() * 8) == 0) {
      if (random.nextBoolean()) {
        rollBack();
      } else {
        restart();
      }
    } else if (state.isFlushing() && random.nextInt(8) == 0) {
      if (random.nextInt(8) == 0 || state.flushIsReady()) {
        finishFlush();
      }
    } else if (random.nextInt(20) == 0) {
      state.settle(1 + random.nextInt(8));
    } else if (random.nextInt(40) == 0) {
      prefetch(kind());
    } else if (random.nextInt(setting.marksEvery()) == 0) {
      markOrUndo();
    } else {
      change(kind());
    }
  }

  private void commitStep() {
    if (isPending) {
      acknowledge();
    } else if (isFrozen) {
      collect();
    } else {
      freeze();
    }
    if (random.nextInt(setting.flushEvery()) == 0) {
      flush();
    }
  }

  private <V> void change(Kind<V> kind) {
    CachedStore<Bytes, V> store = state.store(kind.number());
    byte[] key = key();
    Bytes full = full(kind, key);
    if (store.holdsLongs() && random.nextBoolean()) {
      Bytes before = visible(full);
      long change = random.nextInt(1000) - 500L;
      long sum = change + (before == null ? 0 : TestSerdes.LONG.read(before));
      live.put(full, Bytes.of(TestSerdes.bytes(TestSerdes.LONG, sum)));
      assertEquals(sum, store.add(transientView(key), change));
      return;
    }
    int what = random.nextInt(10);
    if (what < 2) {
      store.delete(transientView(key));
      live.put(full, null);
    } else {
      boolean replaces = what < 5;
      V old =
          replaces
              ? store.find(transientView(key))
              : what < 8 ? store.get(transientView(key)) : null;
      V value = kind.change().apply(old, random);
      live.put(full, Bytes.of(TestSerdes.bytes(kind.serde(), value)));
      if (replaces && random.nextInt(4) == 0) {
        // What was found may have left the cache, or is not what is replaced.
        store.find(transientView(key()));
      }
      if (replaces) {
        store.replace(transientView(key), value);
      } else {
        store.put(transientView(key), value);
      }
      if (value instanceof Bytes bytes) {
        handedOut.add(bytes.array());
      } else if (kind.serde().fixedBytes() == 0) {
        assertSame(value, store.get(Bytes.of(key)), "a get after a put gives the object");
      }
    }
  }

  private void markOrUndo() {
    if (marked == null || random.nextBoolean()) {
      state.mark();
      marked = new LinkedHashMap<>(live);
      anyMarks = true;
      assertEquals(!live.isEmpty(), state.hasChanges());
    } else {
      spoil(kind());
      state.undo();
      live.clear();
      live.putAll(marked);
    }
  }

  /// Changes an object in place and does not put it, as a function does that fails half-way.
  private <V> void spoil(Kind<V> kind) {
    CachedStore<Bytes, V> store = state.store(kind.number());
    for (byte[] key : keys) {
      if (store.get(transientView(key)) instanceof List<?> list && !list.isEmpty()) {
        list.removeLast();
      }
    }
  }

  private void prefetch(Kind<?> kind) {
    CachedStore<?, ?> store = state.store(kind.number());
    boolean wants = random.nextBoolean() || store.wantsKeysAhead();
    for (int i = wants ? random.nextInt(8) : -1; i >= 0; i--) {
      store.want(transientView(key()));
    }
    store.loadWanted();
  }

  private void freeze() {
    assertEquals(!live.isEmpty(), state.hasChanges());
    sent.clear();
    List<Bytes> expectedOrder = new ArrayList<>(live.keySet());
    pending.putAll(live);
    live.clear();
    marked = null;
    isFrozen = true;
    if (random.nextBoolean()) {
      state.collect(this::send);
      collected();
      List<Bytes> order = sent.stream().map(Change::key).toList();
      if (anyMarks) { // what was live at marks comes first
        assertEquals(new TreeSet<>(expectedOrder), new TreeSet<>(order));
        assertEquals(expectedOrder.size(), order.size());
      } else {
        assertEquals(expectedOrder, order);
      }
    } else {
      state.freeze();
      if (!state.collectsInSteps()) {
        collect();
        assertTrue(isPending, "More than one step.");
      }
    }
    anyMarks = false;
    assertThrows(IllegalStateException.class, state::freeze);
  }

  /// A step of a commit.
  private void collect() {
    int before = sent.size();
    int shown = state.collect(1 + random.nextInt(4), this::send);
    assertEquals(shown, sent.size() - before);
    if (state.isPending()) {
      collected();
    } else {
      assertThrows(IllegalStateException.class, state::acknowledge);
    }
  }

  private void send(Bytes key, @Nullable Bytes value) {
    sent.add(new Change(key.copy(), value == null ? null : value.copy()));
  }

  private void collected() {
    isFrozen = false;
    isPending = true;
    assertEquals(pending.size(), sent.size());
    for (Change change : sent) {
      assertTrue(pending.containsKey(change.key()));
      assertEquals(pending.get(change.key()), change.value(), () -> "changelog of " + change.key());
    }
  }

  private void acknowledge() {
    state.acknowledge();
    becomeCommitted();
  }

  private void becomeCommitted() {
    pending.forEach((key, value) -> {
      if (value == null) {
        committed.remove(key);
      } else {
        committed.put(key, value);
      }
    });
    changelog.addAll(sent);
    pending.clear();
    sent.clear();
    isPending = false;
  }

  private void rollBack() {
    state.rollBack();
    marked = null;
    anyMarks = false;
    live.clear();
    pending.clear();
    sent.clear();
    isFrozen = false;
    isPending = false;
  }

  private void flush() {
    byte[] position = {
      (byte) (changelog.size() >>> 16), (byte) (changelog.size() >>> 8), (byte) changelog.size()
    };
    if (state.isFlushing()) {
      assertThrows(IllegalStateException.class, () -> state.beginFlush(position));
      if (random.nextBoolean()) {
        return;
      }
    } else if (random.nextBoolean()) {
      state.beginFlush(position);
      flushing.clear();
      flushing.putAll(committed);
      flushingPosition = position;
      return;
    }
    if (!state.isFlushing() && random.nextInt(4) == 0) {
      disk.refuseNextIngest();
      assertThrows(DiskException.class, () -> state.flush(position));
      checkSome();
    }
    state.flush(position);
    assertEquals(0, state.gauges().committedBytes());
    assertArrayEquals(position, state.diskPosition());
    assertEquals(committed, disk.entries(), "the disk is what was acknowledged");
  }

  private void finishFlush() {
    byte[] before = state.diskPosition();
    if (random.nextInt(4) == 0) {
      disk.refuseNextIngest();
      try {
        state.finishFlush();
      } catch (DiskException e) {
        assertFalse(state.isFlushing());
        assertArrayEquals(before, state.diskPosition());
        return;
      }
      disk.refuseNone(); // it had been written before
    } else {
      state.finishFlush();
    }
    assertFalse(state.isFlushing());
    assertArrayEquals(flushingPosition, state.diskPosition());
    assertEquals(flushing, disk.entries(), "the disk is what was acknowledged at the beginning");
  }

  /// A crash: what was sent may turn out to be committed or not.
  private void restart() {
    if (isPending && random.nextBoolean()) {
      becomeCommitted();
    }
    marked = null;
    anyMarks = false;
    live.clear();
    pending.clear();
    sent.clear();
    isFrozen = false;
    isPending = false;
    disk = disk.reopened();
    state = open(disk);
    byte[] position = state.diskPosition();
    int replayed = 0;
    if (position != null) {
      replayed = (position[0] & 0xFF) << 16 | (position[1] & 0xFF) << 8 | (position[2] & 0xFF);
    }
    restore(state, changelog.subList(replayed, changelog.size()));
  }

  private void checkReplayFromTheStart() {
    TaskState fresh = open(new FakeDisk());
    restore(fresh, changelog);
    rollBack();
    checkAll(fresh);
  }

  private void restore(TaskState restored, List<Change> changes) {
    for (Change change : changes) {
      Bytes value = change.value();
      restored
          .restoring()
          .restore(
              transientView(change.key().toByteArray()),
              value == null ? null : transientView(value.toByteArray()));
    }
  }

  private TaskState open(FakeDisk opened) {
    StateLimits limits = StateLimits.defaults().withCacheBytes(setting.cacheBytes());
    return new TaskState("0-7", opened, setting.stores().stream().map(Kind::spec).toList(), limits);
  }

  private void checkSome() {
    Kind<?> kind = kind();
    checkGet(state, kind, key());
    if (random.nextInt(4) == 0) {
      checkRange(state, kind, limit(), limit(), random.nextInt(12));
    }
    long cached = state.gauges().cachedBytes();
    assertTrue(
        cached <= Math.max(setting.cacheBytes(), state.gauges().liveBytes()),
        () -> cached + " bytes are cached, " + state.gauges().liveBytes() + " of them live");
    if (!isFrozen && !anyMarks) {
      assertEquals(live.isEmpty(), state.gauges().liveBytes() == 0);
    }
  }

  private void checkAll(TaskState checked) {
    for (Kind<?> kind : setting.stores()) {
      keys.forEach(key -> checkGet(checked, kind, key));
      checkRange(checked, kind, null, null, Integer.MAX_VALUE);
    }
  }

  private <V> void checkGet(TaskState checked, Kind<V> kind, byte[] key) {
    CachedStore<Bytes, V> store = checked.store(kind.number());
    V found = store.get(transientView(key));
    Bytes encoded = found == null ? null : Bytes.of(TestSerdes.bytes(kind.serde(), found));
    assertEquals(visible(full(kind, key)), encoded, () -> "get " + full(kind, key));
  }

  private <V> void checkRange(
      TaskState checked, Kind<V> kind, byte @Nullable [] from, byte @Nullable [] to, int atMost) {
    if (!kind.ranges()) {
      return;
    }
    List<String> expected = new ArrayList<>();
    visible()
        .forEach((key, value) -> {
          if (expected.size() <= atMost
              && number(key) == kind.number()
              && (from == null || key.compareTo(full(kind, from)) >= 0)
              && (to == null || key.compareTo(full(kind, to)) < 0)) {
            expected.add(key + "=" + value);
          }
        });
    List<String> found = new ArrayList<>();
    CachedStore<Bytes, V> store = checked.store(kind.number());
    store.range(
        from == null ? null : transientView(from),
        to == null ? null : transientView(to),
        (key, value) -> {
          Bytes encoded = Bytes.of(TestSerdes.bytes(kind.serde(), value));
          found.add(full(kind, key.toByteArray()) + "=" + encoded);
          return found.size() <= atMost;
        });
    assertEquals(expected, found);
  }

  private @Nullable Bytes visible(Bytes key) {
    if (live.containsKey(key)) {
      return live.get(key);
    }
    return pending.containsKey(key) ? pending.get(key) : committed.get(key);
  }

  private TreeMap<Bytes, Bytes> visible() {
    TreeMap<Bytes, Bytes> seen = new TreeMap<>(committed);
    for (Map<Bytes, @Nullable Bytes> layer : List.of(pending, live)) {
      layer.forEach((key, value) -> {
        if (value == null) {
          seen.remove(key);
        } else {
          seen.put(key, value);
        }
      });
    }
    return seen;
  }

  private Kind<?> kind() {
    return setting.stores().get(random.nextInt(setting.stores().size()));
  }

  private byte[] key() {
    int index = random.nextInt(keys.size());
    return keys.get(random.nextBoolean() ? index : index % Math.min(4, keys.size()));
  }

  private byte @Nullable [] limit() {
    return random.nextInt(4) == 0 ? null : key();
  }

  /// A view that is overwritten after the call, as those of the engine are.
  private Bytes transientView(byte[] content) {
    byte[] padded = new byte[content.length + 6];
    System.arraycopy(content, 0, padded, 3, content.length);
    handedOut.add(padded);
    return new Bytes().set(padded, 3, content.length);
  }

  private static Bytes full(Kind<?> kind, byte[] key) {
    BytesWriter writer = new BytesWriter();
    writer.writeShort(kind.number());
    writer.write(key);
    return Bytes.of(writer.toByteArray());
  }

  private static int number(Bytes key) {
    return (key.get(0) & 0xFF) << 8 | (key.get(1) & 0xFF);
  }
}
