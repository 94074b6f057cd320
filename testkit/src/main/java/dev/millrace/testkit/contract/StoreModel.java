package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.state.CachedStore;
import dev.millrace.internal.state.NumberedStore;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.KeyPool;
import dev.millrace.testkit.contract.StoreContract.Cell;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Works at random on the stores of a task and knows by itself what they must hold: a map for what
/// is live, one for what is pending, one for all that was acknowledged, and the changelog.
final class StoreModel {
  private static final String TASK = "1-3";
  private static final int PLAIN = 1;
  private static final int RANGED = 2;
  private static final KeyPool KEYS = KeyPool.all();
  private static final long LIFE = 50;

  /// A value, and when it expires.
  private record Value(String text, long expiry) {}

  private record Change(Bytes key, @Nullable Bytes value) {}

  private final Supplier<Disks> open;
  private final Cell cell;
  private final Random random;
  private final List<TreeMap<String, @Nullable Value>> committed = maps();
  private List<Map<String, @Nullable Value>> pending = changes();
  private List<Map<String, @Nullable Value>> live = changes();
  private final List<Change> changelog = new ArrayList<>();
  private List<Change> sent = new ArrayList<>();
  private Disks disks;
  private TaskState state;
  private boolean isPending;
  private long clock = 1_000;
  private long committedClock = clock;
  private long pendingClock = clock;

  StoreModel(Supplier<Disks> open, Cell cell, long seed) {
    this.open = open;
    this.cell = cell;
    random = new Random(seed);
    disks = open.get();
    disks.wipe(TASK);
    state = openState();
  }

  void run(int operations) {
    for (int i = 0; i < operations; i++) {
      step();
      check(store(), key());
    }
    for (int key = 0; key < KEYS.size(); key++) {
      check(PLAIN, KEYS.text(key));
      check(RANGED, KEYS.text(key));
    }
    state.close();
    disks.wipe(TASK);
    disks.close();
  }

  private void step() {
    switch (random.nextInt(20)) {
      case 0 -> restart();
      case 1 -> rollBack();
      case 2, 3, 4 -> commitStep();
      case 5 -> ahead();
      default -> change();
    }
  }

  private void change() {
    int number = store();
    String key = key();
    CachedStore<String, String> store = state.store(number);
    if (random.nextInt(4) == 0) {
      store.delete(key);
      live.get(number).put(key, null);
    } else {
      String value = "v" + random.nextInt(1_000) + "x".repeat(random.nextInt(30));
      store.put(key, value);
      live.get(number).put(key, new Value(value, Long.MAX_VALUE));
    }
  }

  /// As before a batch of gets.
  private void ahead() {
    CachedStore<String, String> store = state.store(store());
    for (int i = 0; i < 6; i++) {
      store.want(Bytes.ofUtf8(key()));
    }
    store.loadWanted();
  }

  private void commitStep() {
    if (isPending) {
      state.acknowledge();
      becomeCommitted();
      // What is swept nobody can see: it shows as a tombstone of the next commit only.
      boolean swept = state.sweep(1 + random.nextInt(KEYS.size()));
      assertTrue(cell.expires() || !swept);
      if (cell.flushEvery() > 0 && random.nextInt(cell.flushEvery()) == 0) {
        state.flush(ByteBuffer.allocate(4).putInt(changelog.size()).array());
      }
    } else {
      List<Change> collected = new ArrayList<>();
      state.collect((key, value) ->
          collected.add(new Change(key.copy(), value == null ? null : value.copy())));
      sent = collected;
      for (int number : new int[] {PLAIN, RANGED}) {
        Map<String, @Nullable Value> dated = pending.get(number);
        live.get(number)
            .forEach((key, value) ->
                dated.put(
                    key,
                    value == null
                        ? null
                        : new Value(value.text, cell.expires() ? clock + LIFE : Long.MAX_VALUE)));
      }
      live = changes();
      isPending = true;
      clock += random.nextInt(20);
      pendingClock = clock;
      state.clock(clock);
    }
  }

  private void becomeCommitted() {
    for (int number : new int[] {PLAIN, RANGED}) {
      TreeMap<String, @Nullable Value> all = committed.get(number);
      pending.get(number).forEach((key, value) -> all.compute(key, (_, _) -> value));
    }
    changelog.addAll(sent);
    committedClock = pendingClock;
    dropPending();
  }

  private void dropPending() {
    pending = changes();
    sent = new ArrayList<>();
    isPending = false;
  }

  private void rollBack() {
    state.rollBack();
    live = changes();
    dropPending();
    clock = committedClock;
    state.clock(clock);
  }

  /// A start on the same disks: what was sent may have been committed or not.
  private void restart() {
    if (isPending && random.nextBoolean()) {
      becomeCommitted();
    }
    live = changes();
    dropPending();
    clock = committedClock;
    state.close();
    disks.close();
    disks = open.get();
    state = openState();
    byte[] position = state.diskPosition();
    int from = position == null ? 0 : ByteBuffer.wrap(position).getInt();
    for (Change change : changelog.subList(from, changelog.size())) {
      state.restoring().restore(change.key(), change.value());
    }
  }

  private TaskState openState() {
    StoreSpec<String, String> plain = StoreSpec.keyValue("plain", Serdes.string(), Serdes.string());
    StoreSpec<String, String> ranged =
        StoreSpec.keyValue("ranged", Serdes.string(), Serdes.string()).withRanges();
    Duration life = Duration.ofMillis(LIFE);
    TaskState opened =
        new TaskState(
            TASK,
            disks.open(TASK),
            List.of(
                new NumberedStore(PLAIN, cell.expires() ? plain.withTimeToLive(life) : plain),
                new NumberedStore(RANGED, cell.expires() ? ranged.withTimeToLive(life) : ranged)),
            StateLimits.defaults().withCacheBytes(cell.cacheBytes()));
    opened.clock(clock);
    return opened;
  }

  private void check(int number, String key) {
    CachedStore<String, String> store = state.store(number);
    assertEquals(visible(number).get(key), store.get(key), () -> "get " + key);
    Bytes outside = state.committed().get(number, encoded(key), committedClock);
    assertEquals(
        text(committed.get(number).get(key), committedClock),
        outside == null ? null : outside.toUtf8(),
        () -> "committed " + key);
    if (number == RANGED) {
      checkRange(
          store, random.nextInt(3) == 0 ? null : key(), random.nextInt(3) == 0 ? null : key());
    }
  }

  private void checkRange(
      CachedStore<String, String> store, @Nullable String from, @Nullable String to) {
    List<String> expected = new ArrayList<>();
    visible(RANGED)
        .forEach((key, value) -> {
          if ((from == null || key.compareTo(from) >= 0) && (to == null || key.compareTo(to) < 0)) {
            expected.add(key + "=" + value);
          }
        });
    List<String> found = new ArrayList<>();
    store.range(from, to, (key, value) -> found.add(key + "=" + value));
    assertEquals(expected, found, () -> "range from " + from + " to " + to);
    List<String> outside = new ArrayList<>();
    state
        .committed()
        .range(RANGED, new Bytes(), null, Integer.MAX_VALUE, committedClock)
        .forEach(entry -> outside.add(entry.key().toUtf8() + "=" + entry.value().toUtf8()));
    List<String> expectedOutside = new ArrayList<>();
    committed
        .get(RANGED)
        .forEach((key, value) -> {
          String text = text(value, committedClock);
          if (text != null) {
            expectedOutside.add(key + "=" + text);
          }
        });
    assertEquals(expectedOutside, outside, "range of what is committed");
  }

  private TreeMap<String, String> visible(int number) {
    TreeMap<String, String> seen = new TreeMap<>();
    List<Map<String, @Nullable Value>> layers =
        List.of(committed.get(number), pending.get(number), live.get(number));
    for (Map<String, @Nullable Value> layer : layers) {
      layer.forEach((key, value) -> seen.compute(key, (_, _) -> text(value, clock)));
    }
    return seen;
  }

  private static @Nullable String text(@Nullable Value value, long now) {
    return value == null || value.expiry <= now ? null : value.text;
  }

  private static Bytes encoded(String key) {
    BytesWriter out = new BytesWriter();
    Serdes.string().write(key, out);
    return Bytes.of(out.toByteArray());
  }

  private int store() {
    return random.nextBoolean() ? PLAIN : RANGED;
  }

  private String key() {
    return KEYS.text(random.nextInt(KEYS.size()));
  }

  /// One for each number of a store; the first is never used.
  private static List<TreeMap<String, @Nullable Value>> maps() {
    List<TreeMap<String, @Nullable Value>> maps = new ArrayList<>();
    for (int number = 0; number <= RANGED; number++) {
      maps.add(new TreeMap<String, @Nullable Value>());
    }
    return maps;
  }

  private static List<Map<String, @Nullable Value>> changes() {
    List<Map<String, @Nullable Value>> changes = new ArrayList<>();
    for (int number = 0; number <= RANGED; number++) {
      changes.add(new LinkedHashMap<String, @Nullable Value>());
    }
    return changes;
  }
}
