package dev.millrace.internal.state.rocksdb;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.state.CachedStore;
import dev.millrace.internal.state.NumberedStore;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.Disk;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// Measures updates of a state that is ten times its caches: one get and one put a record, keys
/// drawn at random.
///
/// `ReadBench DIRECTORY (plain|alone|ahead) KEYS RECORDS` first fills the directory unless it holds
/// a state already, then updates and prints the rate of the second half. `plain` is RocksDB's own
/// get and put a record, `alone` a store whose misses are read one by one, `ahead` one whose misses
/// of a slice are read together.
final class ReadBench {
  private static final int KEY_BYTES = 16;
  private static final int VALUE_BYTES = 100;
  private static final int SLICE = 2048;
  private static final int COMMIT_EVERY = 200_000;

  private final Path directory;
  private final int keys;
  private final long records;
  private final long cacheBytes;
  private final Random random = new Random(42);
  private final BytesWriter keyWriter = new BytesWriter();

  private ReadBench(Path directory, int keys, long records) {
    this.directory = directory;
    this.keys = keys;
    this.records = records;
    cacheBytes = (long) keys * (KEY_BYTES + VALUE_BYTES) / 10;
  }

  public static void main(String[] args) throws RocksDBException {
    ReadBench bench =
        new ReadBench(Path.of(args[0]), Integer.parseInt(args[2]), Long.parseLong(args[3]));
    double rate =
        switch (args[1]) {
          case "plain" -> bench.plain();
          case "alone" -> bench.store(false);
          case "ahead" -> bench.store(true);
          default -> throw new IllegalArgumentException(args[1]);
        };
    System.out.printf(Locale.ROOT, "%s: %.0f records a second%n", args[1], rate);
  }

  /// A key's number spread over all of the key space.
  private Bytes key(int number, Bytes view) {
    keyWriter.clear();
    keyWriter.writeLong(number * 0x9E37_79B9_7F4A_7C15L);
    keyWriter.writeLong(number);
    return keyWriter.view(view, 0);
  }

  private static byte[] value(long count) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(count).nextBytes(value);
    return value;
  }

  private double plain() throws RocksDBException {
    try (SharedNatives natives = new SharedNatives(new RocksDiskConfig(cacheBytes, 2, 500));
        Options options = new Options(natives.options())) {
      options.setCreateIfMissing(true);
      options.setWriteBufferSize(cacheBytes / 2);
      boolean filled = directory.resolve("CURRENT").toFile().exists();
      try (RocksDB database = RocksDB.open(options, directory.toString())) {
        for (int i = 0; !filled && i < keys; i++) {
          database.put(key(i, new Bytes()).toByteArray(), value(i));
        }
        Bytes view = new Bytes();
        Stopwatch watch = new Stopwatch(records);
        for (long i = 0; i < records; i++) {
          byte[] key = key(random.nextInt(keys), view).toByteArray();
          byte[] value = database.get(natives.readOptions(), key);
          value[0]++;
          database.put(key, value);
          watch.count(1);
        }
        return watch.rate();
      }
    }
  }

  private double store(boolean ahead) {
    StoreSpec<Bytes, Bytes> spec = StoreSpec.keyValue("states", Serdes.view(), Serdes.view());
    StateLimits limits =
        StateLimits.defaults()
            .withCacheBytes(cacheBytes * 3 / 4)
            .withCommittedShareBytes(cacheBytes * 3 / 4);
    try (RocksDisks disks = new RocksDisks(directory, new RocksDiskConfig(cacheBytes / 4, 2, 500));
        Disk disk = disks.open("0-0");
        TaskState state = new TaskState("0-0", disk, List.of(new NumberedStore(1, spec)), limits)) {
      if (disk.position() == null) {
        fill(state);
      }
      return update(state, state.store(1), ahead);
    }
  }

  private void fill(TaskState state) {
    CachedStore<Bytes, Bytes> store = state.store(1);
    for (int i = 0; i < keys; i++) {
      store.put(key(i, new Bytes()), Bytes.of(value(i)));
      if (i % COMMIT_EVERY == 0) {
        commit(state);
      }
    }
    commit(state);
    state.flush(new byte[1]);
  }

  private double update(TaskState state, CachedStore<Bytes, Bytes> store, boolean ahead) {
    Bytes[] slice = new Bytes[SLICE];
    long commits = 0;
    Stopwatch watch = new Stopwatch(records);
    for (long done = 0; done < records; done += SLICE) {
      for (int i = 0; i < SLICE; i++) {
        slice[i] = key(random.nextInt(keys), new Bytes()).copy();
      }
      if (ahead && store.wantsKeysAhead()) {
        for (Bytes key : slice) {
          store.want(key);
        }
        store.loadWanted();
      }
      for (Bytes key : slice) {
        Bytes value = store.get(key);
        value.array()[value.offset()]++;
        store.put(key, value);
      }
      if (done / COMMIT_EVERY > commits || state.wantsCommit()) {
        commits = done / COMMIT_EVERY;
        commit(state);
      }
      watch.count(SLICE);
    }
    return watch.rate();
  }

  private static void commit(TaskState state) {
    state.collect((_, _) -> {});
    state.acknowledge();
    if (state.wantsFlush()) {
      state.flush(new byte[1]);
    }
  }

  /// The rate of the second half.
  private static final class Stopwatch {
    private final long half;
    private long count;
    private long startNanos;
    private long startCount;

    Stopwatch(long records) {
      half = records / 2;
    }

    void count(long more) {
      count += more;
      if (startNanos == 0 && count >= half) {
        startNanos = System.nanoTime();
        startCount = count;
      }
    }

    double rate() {
      return (count - startCount) * 1e9 / (System.nanoTime() - startNanos);
    }
  }
}
