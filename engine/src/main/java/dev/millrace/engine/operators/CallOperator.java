package dev.millrace.engine.operators;

import dev.millrace.api.Call;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.calls.Asked;
import dev.millrace.engine.calls.CallFailedException;
import dev.millrace.engine.calls.Flights;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private final Serde<Object> values;
  private final TimeKey keys = new TimeKey();

  /// By number, in the order they came.
  private final Map<Long, Row> rows = new LinkedHashMap<>();

  /// How many rows wait at each event time.
  private final TreeMap<Long, Integer> times = new TreeMap<>();

  /// Those in which rows wait for each other, by key.
  private final Map<Bytes, Line> lines = new HashMap<>();

  /// Those whose first row may have its answer.
  private final ArrayDeque<Line> ready = new ArrayDeque<>();

  /// Those whose answers were emitted last: they may still fail behind the operator.
  private final Map<Long, Row> emitted = new HashMap<>();

  private @Nullable KeyValueStore<Bytes, WaitingRow> store;
  private @Nullable Flights flights;
  private @Nullable OperatorContext context;
  private long nextNumber;
  private long passed = Long.MIN_VALUE;
  private long passedKept = Long.MIN_VALUE;

  private CallOperator(
      String operator,
      Call<Object, Object> call,
      StoreSpec<Bytes, WaitingRow> spec,
      Serde<Object> values) {
    this.operator = operator;
    this.call = call;
    this.spec = spec;
    this.values = values;
  }

  /// The operator as a topology carries it.
  ///
  /// @param operator in messages
  /// @param values of the rows
  public static Declaration declare(
      String operator, String name, Call<Object, Object> call, Serde<Object> values) {
    StoreSpec<Bytes, WaitingRow> waiting =
        new KeyBytesSerde("number", null).spec(name + "-waiting", new WaitingRow.Format(values));
    return new Declaration(
        () -> new CallOperator(operator, call, waiting, values), List.of(waiting));
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
  public void open(OperatorContext opened) {
    context = opened;
    store = opened.store(spec);
    flights = opened.calls().flights(operator, call);
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
  }

  @Override
  public void process(RowCursor cursor, RowSink out) {
    while (cursor.next()) {
      Bytes key = cursor.keyBytes();
      WaitingRow content =
          new WaitingRow(cursor.timestamp(), key == null ? null : key.copy(), Opened.value(cursor));
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
    emitted.clear();
    for (Line line = ready.poll(); line != null; line = ready.poll()) {
      Row first = line.rows.peek();
      while (first != null && first.asked != null && first.asked.isAnswered()) {
        emitted.put(first.number, first);
        Bytes place = key(first.number).copy();
        if (out.begins(place)) {
          emit(place, first, first.asked, out);
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
  }

  private void emit(Bytes place, Row row, Asked asked, RowSink out) {
    FailedResults failed = Opened.store(context).failed();
    CallFailedException failure = asked.failure();
    if (failure != null && failed.goesOn()) {
      failed.giveUp(due(place), kept(place), failure);
      return;
    }
    Object answer = asked.answer();
    if (answer != null) {
      out.emit(row.content.key(), answer, row.content.time());
    }
  }

  /// A row is told from others by what it is: its number may be another in the next attempt.
  @Override
  public Due due(Bytes place) {
    WaitingRow row = waiting(place);
    BytesWriter id = new BytesWriter(64);
    spec.valueSerde().write(row, id);
    return new Due(Bytes.of(id.toByteArray()), "row", row.key(), row.time(), null);
  }

  @Override
  public @Nullable Bytes kept(Bytes place) {
    Object value = waiting(place).value();
    return value == null ? null : Opened.bytes(values, value);
  }

  private WaitingRow waiting(Bytes place) {
    return Objects.requireNonNull(emitted.get(TimeKey.time(place))).content;
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
      keeps.put(key(WATERMARK), new WaitingRow(passed, null, null));
      passedKept = passed;
    }
  }

  private Bytes key(long number) {
    return keys.of(number, null);
  }

  @Override
  public void close() {
    Flights open = flights;
    flights = null;
    store = null;
    context = null;
    if (open != null) {
      open.close();
    }
  }
}
