package dev.millrace.internal.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.calls.Calls;
import dev.millrace.internal.engine.calls.FakeCalls;
import dev.millrace.internal.engine.metrics.CallMetrics;
import dev.millrace.spi.job.LateRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Runs one operator as a task would, and closes and opens it anew after each step if asked to.
///
/// @see FakeStore
public final class Bench implements OperatorContext {
  /// A row that goes in or comes out.
  ///
  /// @param retraction whether it takes back one that came before
  public record Row(
      @Nullable Bytes key, @Nullable Object value, long timestamp, boolean retraction) {
    public Row(@Nullable Bytes key, Object value, long timestamp) {
      this(key, value, timestamp, false);
    }
  }

  /// What goes in: rows, in order, or the watermark moves.
  public sealed interface Event {}

  public record Arrival(Row row) implements Event {}

  public record Watermark(long time) implements Event {}

  /// No early results.
  public static final Windows.Timing AT_THE_END =
      new Windows.Timing(Duration.ZERO, Duration.ZERO, 0, false);

  private final Declaration declaration;
  private final @Nullable Serde<Object> keySerde;
  private final TreeMap<String, FakeStore<?, ?>> stores = new TreeMap<>();
  private final List<Row> out = new ArrayList<>();
  private final List<Row> late = new ArrayList<>();
  private final List<Object> corrected = new ArrayList<>();
  private final FakeCalls calls = new FakeCalls();
  private Operator operator;
  private long watermark = Long.MIN_VALUE;
  private long clock;
  private boolean reopening;
  private long commits;
  private boolean readingAhead;
  private boolean wantsRetractions = true;

  /// @param keySerde of the rows' keys; null if they stay bytes
  public Bench(Declaration declaration, @Nullable Serde<Object> keySerde) {
    this.declaration = declaration;
    this.keySerde = keySerde;
    for (StoreSpec<?, ?> spec : declaration.stores()) {
      stores.put(spec.name(), new FakeStore<>(spec));
    }
    operator = declaration.factory().create();
    operator.open(this);
  }

  /// From now on the operator is lost after each step and only its state is kept.
  public Bench reopening() {
    reopening = true;
    return this;
  }

  /// Nobody behind it wants to know what is taken back.
  public Bench withoutRetractions() {
    wantsRetractions = false;
    return this;
  }

  /// Takes events, rows in batches of at most `batch`, advancing with `budget`.
  public Bench run(List<Event> events, int batch, int budget) {
    List<Row> rows = new ArrayList<>();
    for (Event event : events) {
      if (event instanceof Arrival arrival) {
        rows.add(arrival.row());
      }
      if (rows.size() == batch || event instanceof Watermark) {
        process(rows);
        rows = new ArrayList<>();
      }
      if (event instanceof Watermark moved) {
        advance(moved.time(), budget);
      }
    }
    process(rows);
    return this;
  }

  public void process(List<Row> rows) {
    process(0, rows);
  }

  public void process(int input, List<Row> rows) {
    if (!rows.isEmpty()) {
      Cursor cursor = new Cursor(rows, keySerde);
      Collected collected = new Collected(cursor, wantsRetractions);
      operator.process(input, cursor, collected);
      stores.values().forEach(FakeStore::requireExpectedGets);
      out.addAll(collected.rows);
      step();
    }
  }

  /// @return how many steps it took
  public int advance(long to, int budget) {
    int took = 0;
    boolean done = false;
    while (!done) {
      Collected collected = new Collected(null, wantsRetractions);
      done = operator.advance(to, budget, collected);
      collected.begun.forEach(operator::due); // as if what stands behind it failed
      out.addAll(collected.rows);
      step();
      if (++took > 100_000) {
        throw new AssertionError("advance does not come to an end");
      }
    }
    watermark = to;
    return took;
  }

  /// Lets the clock come to a time, and what is due by it be done.
  ///
  /// @return how many steps it took
  int tick(long to, int budget) {
    clock = to;
    int took = 0;
    boolean any = true;
    while (any && ((ClockedOperator) operator).dueMillis() <= to) {
      Collected collected = new Collected(null, wantsRetractions);
      any = ((ClockedOperator) operator).tick(to, budget, collected);
      if (!any && !collected.rows.isEmpty()) {
        throw new AssertionError("what was done is not told");
      }
      out.addAll(collected.rows);
      step();
      if (++took > 100_000) {
        throw new AssertionError("tick does not come to an end");
      }
    }
    return took;
  }

  /// Has an operator that calls take over what has come.
  public void poll() {
    Collected collected = new Collected(null, wantsRetractions);
    async().poll(collected);
    out.addAll(collected.rows);
    step();
  }

  public AsyncOperator async() {
    return (AsyncOperator) operator;
  }

  /// What its calls run on.
  public FakeCalls fakeCalls() {
    return calls;
  }

  private void step() {
    if (reopening) {
      reopen();
    }
  }

  /// The operator is lost behind a commit.
  public void reopen() {
    operator.beforeCommit(++commits);
    operator.close();
    stores.values().forEach(FakeStore::commit);
    operator = declaration.factory().create();
    operator.open(this);
  }

  /// A commit begins; what comes before it is acknowledged belongs to the next one.
  void beforeCommit() {
    operator.beforeCommit(++commits);
    stores.values().forEach(FakeStore::freeze);
  }

  /// The commit that was begun has taken place.
  void afterCommit() {
    stores.values().forEach(FakeStore::acknowledge);
    operator.afterCommit(commits);
  }

  /// The operator is lost, with all behind the last commit that has taken place.
  void lose() {
    operator.close();
    stores.values().forEach(FakeStore::rollBack);
    operator = declaration.factory().create();
    operator.open(this);
    operator.afterCommit(commits);
  }

  public void close() {
    operator.close();
  }

  /// What came out, as it is after the operator returned.
  public List<Row> out() {
    return out;
  }

  public List<Row> late() {
    return late;
  }

  /// Sends rows that are drawn, in batches, while event time moves on, and then comes to its end.
  ///
  /// @param row draws one around a time
  /// @param come is told each time that event time has come to
  public void drive(
      Random random, int batch, int budget, LongFunction<Row> row, LongConsumer come) {
    drive(random, 8, batch, budget, row, come);
  }

  /// The same with fewer than `many` rows each time.
  public void drive(
      Random random, int many, int batch, int budget, LongFunction<Row> row, LongConsumer come) {
    long next = 0;
    for (int step = 0; step < 15; step++) {
      List<Row> sent = new ArrayList<>();
      for (int i = random.nextInt(many); i > 0; i--) {
        sent.add(row.apply(next));
      }
      for (int from = 0; from < sent.size(); from += batch) {
        process(sent.subList(from, Math.min(sent.size(), from + batch)));
      }
      next += random.nextInt(12);
      advance(next, budget);
      come.accept(next);
    }
    advance(Long.MAX_VALUE, budget);
    come.accept(Long.MAX_VALUE);
  }

  /// The values of the rows that corrected a result.
  List<Object> corrected() {
    return corrected;
  }

  /// What a store has of late rows, by window.
  Map<Long, LateRecords> lateByWindow(String store) {
    @SuppressWarnings("unchecked")
    KeyValueStore<Long, LateRecords> counts = (KeyValueStore<Long, LateRecords>) stores.get(store);
    Map<Long, LateRecords> all = new TreeMap<>();
    counts.range(
        null,
        null,
        (window, late) -> {
          all.put(window, late);
          return true;
        });
    return all;
  }

  public FakeStore<?, ?> stored(String name) {
    return stores.get(name);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K, V> KeyValueStore<K, V> store(StoreSpec<K, V> spec) {
    return (KeyValueStore<K, V>) stores.get(spec.name());
  }

  @Override
  public Aggregates aggregates(StoreSpec<Bytes, Object> spec) {
    KeyValueStore<Bytes, Object> store = store(spec);
    return new Aggregates() {
      @Override
      public @Nullable Object find(Bytes key) {
        return store.get(key);
      }

      @Override
      public void replace(Bytes key, Object aggregate) {
        store.put(key, aggregate);
      }
    };
  }

  /// From now on it always pays to read ahead.
  public Bench readingAhead() {
    readingAhead = true;
    return this;
  }

  /// Fails if a store was asked for a key of the rows that was not asked for ahead.
  @Override
  public ReadAhead readAhead(StoreSpec<?, ?> spec) {
    FakeStore<?, ?> store = stores.get(spec.name());
    return new ReadAhead() {
      private final TreeSet<Bytes> wanted = new TreeSet<>();

      @Override
      public boolean pays() {
        return readingAhead;
      }

      @Override
      public void want(Bytes storeKey) {
        wanted.add(storeKey.copy());
      }

      @Override
      public void load() {
        store.expectGets(wanted);
        wanted.clear();
      }
    };
  }

  @Override
  public long watermark() {
    return watermark;
  }

  @Override
  public long clock() {
    return clock;
  }

  @Override
  public Calls calls() {
    return calls.calls();
  }

  @Override
  public CallMetrics callMetrics() {
    return calls.metrics();
  }

  @Override
  public void late(RowCursor row, long records) {
    Bytes key = row.keyBytes();
    late.add(
        new Row(key == null ? null : key.copy(), row.value(), row.timestamp(), row.isRetraction()));
  }

  @Override
  public void corrected(RowCursor row, long records) {
    corrected.add(row.value());
  }

  @Override
  public boolean lateGoOn() {
    return declaration.lateGoOn();
  }

  @Override
  public long committed() {
    return 0;
  }

  @Override
  public String changelogId() {
    return "changelog";
  }

  @Override
  public int partition() {
    return 0;
  }

  @Override
  public String task() {
    return "0-0";
  }

  public static Bytes key(Serde<Object> serde, Object key) {
    BytesWriter writer = new BytesWriter();
    serde.write(key, writer);
    return Bytes.of(writer.toByteArray());
  }

  private static final class Collected implements RowSink {
    private final @Nullable Cursor cursor;
    private final boolean wantsRetractions;
    private final List<Row> rows = new ArrayList<>();

    /// What the results come of.
    private final List<Bytes> begun = new ArrayList<>();

    Collected(@Nullable Cursor cursor, boolean wantsRetractions) {
      this.cursor = cursor;
      this.wantsRetractions = wantsRetractions;
    }

    @Override
    public void emit(Object value, long timestamp) {
      if (cursor == null) {
        throw new AssertionError("There is no current row.");
      }
      Bytes key = cursor.keyBytes();
      rows.add(new Row(key == null ? null : key.copy(), value, timestamp));
    }

    @Override
    public void emit(@Nullable Bytes keyBytes, Object value, long timestamp) {
      rows.add(new Row(keyBytes == null ? null : keyBytes.copy(), value, timestamp));
    }

    @Override
    public boolean begins(Bytes place) {
      begun.add(place);
      return true;
    }

    @Override
    public boolean wantsRetractions() {
      return wantsRetractions;
    }

    @Override
    public void retract(@Nullable Bytes keyBytes, Object value, long timestamp) {
      rows.add(new Row(keyBytes == null ? null : keyBytes.copy(), value, timestamp, true));
    }
  }

  static final class Cursor implements RowCursor {
    private final List<Row> rows;
    private final @Nullable Serde<Object> keySerde;
    private final Bytes view = new Bytes();
    private int at = -1;

    Cursor(List<Row> rows, @Nullable Serde<Object> keySerde) {
      this.rows = rows;
      this.keySerde = keySerde;
    }

    @Override
    public boolean hasOrigin() {
      return true;
    }

    @Override
    public boolean hasValue() {
      return rows.get(at).value() != null;
    }

    @Override
    public void rewind() {
      at = -1;
    }

    @Override
    public boolean next() {
      // One array a row: what was kept of the last one without a copy shows.
      view.set(new byte[] {(byte) 0xDE}, 0, 1);
      return ++at < rows.size();
    }

    @Override
    public @Nullable Bytes keyBytes() {
      Bytes key = rows.get(at).key();
      return key == null ? null : view.set(key.array(), key.offset(), key.length());
    }

    @Override
    public @Nullable Object key() {
      Bytes bytes = keyBytes();
      return bytes == null || keySerde == null ? bytes : keySerde.read(bytes);
    }

    @Override
    public Object value() {
      return rows.get(at).value();
    }

    @Override
    public long timestamp() {
      return rows.get(at).timestamp();
    }

    @Override
    public boolean isRetraction() {
      return rows.get(at).retraction();
    }

    @Override
    public byte @Nullable [] header(String name) {
      return null;
    }

    @Override
    public List<String> headerNames() {
      return List.of();
    }

    @Override
    public Bytes headers() {
      return new Bytes();
    }

    @Override
    public String topic() {
      return "in";
    }

    @Override
    public int partition() {
      return 0;
    }

    @Override
    public long offset() {
      return at;
    }
  }
}
