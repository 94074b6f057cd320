package dev.millrace.engine.operators;

import dev.millrace.api.Call;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.calls.Asked;
import dev.millrace.engine.calls.CallFailedException;
import dev.millrace.engine.calls.CallMetrics;
import dev.millrace.engine.calls.Flights;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Asks another system for each row and emits the answer, under the row's key and at its time; no
/// row where the answer is null.
///
/// Rows that still wait when a commit comes are part of it; a task that comes back asks for them
/// anew. So an answer is emitted once, although it may be asked for more than once.
public final class CallOperator implements AsyncOperator {
  /// Behind the numbers of all rows.
  private static final long WATERMARK = Long.MAX_VALUE;

  /// The line of all rows without a key.
  private static final Bytes NO_KEY = new Bytes();

  private final String operator;
  private final Call<Object, Object> call;
  private final StoreSpec<Bytes, WaitingRow> spec;
  private final TimeKey keys = new TimeKey();

  /// By number, in the order they came.
  private final Map<Long, Row> rows = new LinkedHashMap<>();

  /// How many rows wait at each event time.
  private final TreeMap<Long, Integer> times = new TreeMap<>();

  /// Those in which rows wait for each other, by key.
  private final Map<Bytes, Line> lines = new HashMap<>();

  /// Those whose first row may have its answer.
  private final ArrayDeque<Line> ready = new ArrayDeque<>();

  private @Nullable KeyValueStore<Bytes, WaitingRow> store;
  private @Nullable Flights flights;
  private @Nullable CallMetrics metrics;
  private long nextNumber;
  private long passed = Long.MIN_VALUE;
  private long passedKept = Long.MIN_VALUE;

  private CallOperator(
      String operator, Call<Object, Object> call, StoreSpec<Bytes, WaitingRow> spec) {
    this.operator = operator;
    this.call = call;
    this.spec = spec;
  }

  /// The operator as a topology carries it.
  ///
  /// @param operator in messages
  /// @param values of the rows
  public static Declaration declare(
      String operator, String name, Call<Object, Object> call, Serde<Object> values) {
    StoreSpec<Bytes, WaitingRow> waiting =
        new KeyBytesSerde("number", null).spec(name + "-waiting", new WaitingRow.Format(values));
    return new Declaration(() -> new CallOperator(operator, call, waiting), List.of(waiting));
  }

  /// Rows that go on in their order.
  private static final class Line {
    private final @Nullable Bytes key;
    private final ArrayDeque<Row> rows = new ArrayDeque<>();

    /// @param key null if it is the line of one row only
    Line(@Nullable Bytes key) {
      this.key = key;
    }
  }

  private static final class Row {
    private final long number;
    private final WaitingRow content;
    private boolean kept;
    private @Nullable Asked asked;

    Row(long number, WaitingRow content, boolean kept) {
      this.number = number;
      this.content = content;
      this.kept = kept;
    }
  }

  @Override
  public void open(OperatorContext context) {
    store = context.store(spec);
    CallMetrics counting = context.callMetrics();
    metrics = counting;
    flights = context.calls().flights(operator, call, counting);
    Opened.store(store)
        .range(
            null,
            null,
            (key, content) -> {
              long number = TimeKey.time(key);
              if (content.value() == null) {
                passed = content.time();
                passedKept = passed;
              } else {
                nextNumber = number + 1;
                add(new Row(number, content, true));
              }
              return true;
            });
    counting.waiting(rows.size());
  }

  @Override
  public void process(RowCursor cursor, RowSink out) {
    while (cursor.next()) {
      Bytes key = cursor.keyBytes();
      WaitingRow content =
          new WaitingRow(
              cursor.timestamp(),
              key == null ? null : key.copy(),
              Opened.value(cursor),
              Origin.of(cursor));
      add(new Row(nextNumber++, content, false));
    }
    emitReady(out);
  }

  private void add(Row row) {
    rows.put(row.number, row);
    times.merge(row.content.time(), 1, Integer::sum);
    Line line = line(row.content.key());
    line.rows.add(row);
    if (call.order() != Call.Order.ONE_BY_ONE || line.rows.size() == 1) {
      ask(line, row);
    }
  }

  private Line line(@Nullable Bytes key) {
    if (call.order() == Call.Order.NONE) {
      return new Line(null);
    }
    return lines.computeIfAbsent(key == null ? NO_KEY : key, Line::new);
  }

  private void ask(Line line, Row row) {
    Object question = row.content.value();
    if (question == null) {
      throw new IllegalStateException("A row without a value waits.");
    }
    Asked asked = Opened.store(flights).ask(question);
    row.asked = asked;
    if (asked.isAnswered()) {
      ready.add(line);
    } else {
      asked.whenAnswered(() -> ready.add(line));
    }
  }

  private void emitReady(RowSink out) {
    for (Line line = ready.poll(); line != null; line = ready.poll()) {
      Row first = line.rows.peek();
      while (first != null && first.asked != null && first.asked.isAnswered()) {
        Object answer = answer(first.content, first.asked);
        if (answer != null) {
          out.emit(first.content.key(), answer, first.content.time());
        }
        line.rows.remove();
        forget(first);
        first = line.rows.peek();
        if (first != null && first.asked == null) {
          ask(line, first);
        }
      }
      if (first == null && line.key != null) {
        lines.remove(line.key, line);
      }
    }
    Opened.store(metrics).waiting(rows.size());
  }

  private static @Nullable Object answer(WaitingRow row, Asked asked) {
    try {
      return asked.answer();
    } catch (CallFailedException e) {
      Origin origin = row.origin();
      throw origin == null ? e : e.at(origin.toString());
    }
  }

  private void forget(Row row) {
    rows.remove(row.number);
    times.computeIfPresent(row.content.time(), (_, count) -> count == 1 ? null : count - 1);
    if (row.kept) {
      Opened.store(store).delete(key(row.number));
    }
  }

  @Override
  public boolean hasRoom() {
    return rows.size() < 2L * call.limits().inFlight() * Opened.store(flights).most();
  }

  @Override
  public boolean isWaiting() {
    return !rows.isEmpty();
  }

  @Override
  public boolean poll(RowSink out) {
    boolean any = Opened.store(flights).poll() || !ready.isEmpty();
    emitReady(out);
    return any;
  }

  @Override
  public long hold() {
    return times.isEmpty() ? Long.MAX_VALUE : times.firstKey();
  }

  @Override
  public long passed() {
    return passed;
  }

  @Override
  public void passed(long watermark) {
    passed = watermark;
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void beforeCommit(long number) {
    KeyValueStore<Bytes, WaitingRow> keeps = Opened.store(store);
    for (Row row : rows.values()) {
      if (!row.kept) {
        keeps.put(key(row.number), row.content);
        row.kept = true;
      }
    }
    if (passed != passedKept) {
      keeps.put(key(WATERMARK), new WaitingRow(passed, null, null, null));
      passedKept = passed;
    }
  }

  private Bytes key(long number) {
    return keys.of(number, null);
  }

  @Override
  public void close() {
    Flights open = flights;
    CallMetrics counting = metrics;
    flights = null;
    metrics = null;
    store = null;
    if (open != null) {
      open.close();
    }
    if (counting != null) {
      counting.waiting(0);
    }
  }
}
