package dev.millrace.internal.engine.operators.outside;

import dev.millrace.api.Call;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.calls.Asked;
import dev.millrace.internal.engine.calls.CallFailedException;
import dev.millrace.internal.engine.calls.Flights;
import dev.millrace.internal.engine.metrics.CallMetrics;
import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.FailedResults;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Origin;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.WaitingRow;
import dev.millrace.internal.state.EntryTooLargeException;
import dev.millrace.spi.Clock;
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
///
/// What changes the other system is asked for only behind the commit that the row belongs to, and
/// of the rows of a key that wait only for the last, in place of all. So what a task that comes
/// back asks for again is never older than what was asked for before.
public final class CallOperator implements AsyncOperator {
  /// Behind the numbers of all rows.
  private static final long WATERMARK = Long.MAX_VALUE;

  /// Where the number of the next row is kept, if numbers of rows are told to the other system.
  private static final long NEXT = WATERMARK - 1;

  /// So many bits count within a millisecond: with the clock in front, numbers grow even where
  /// nothing was kept of those before, and have no more than 53 bits.
  private static final int NUMBER_BITS = 10;

  /// The line of all rows without a key.
  private static final Bytes NO_KEY = new Bytes();

  private final String operator;
  private final Call<Object, Object> call;
  private final StoreSpec<Bytes, WaitingRow> spec;
  private final Serde<Object> values;
  private final Asking asking;
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
  private @Nullable CallMetrics metrics;
  private @Nullable Clock clock;
  private @Nullable OperatorContext context;
  private long nextNumber;

  /// What waited at the last mark.
  private List<Row> rowsMarked = List.of();

  private long nextMarked;
  private long passed = Long.MIN_VALUE;
  private long passedKept = Long.MIN_VALUE;

  /// Rows with smaller numbers belong to the commit that was begun last.
  private long frozen;

  /// The same of the last commit that has taken place.
  private long committed;

  /// How many of these rows wait.
  private int committedRows;

  private CallOperator(
      String operator,
      Call<Object, Object> call,
      StoreSpec<Bytes, WaitingRow> spec,
      Serde<Object> values,
      Asking asking) {
    this.operator = operator;
    this.call = call;
    this.spec = spec;
    this.values = values;
    this.asking = asking;
  }

  /// The operator as a topology carries it.
  ///
  /// @param operator in messages
  /// @param values of the rows
  public static Declaration declare(
      String operator, String name, Call<Object, Object> call, Serde<Object> values) {
    return declare(operator, name, call, values, Asking.ITSELF);
  }

  static Declaration declare(
      String operator,
      String name,
      Call<Object, Object> call,
      Serde<Object> values,
      Asking asking) {
    StoreSpec<Bytes, WaitingRow> waiting =
        new KeyBytesSerde("number", null).spec(name + "-waiting", new WaitingRow.Format(values));
    return new Declaration(
        () -> new CallOperator(operator, call, waiting, values, asking),
        List.of(waiting),
        Parameters.of(asking.kind()));
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
    private final @Nullable Object question;
    private @Nullable Line line;
    private boolean kept;
    private @Nullable Asked asked;

    Row(long number, WaitingRow content, @Nullable Object question) {
      this.number = number;
      this.content = content;
      this.question = question;
    }
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    store = opened.store(spec);
    CallMetrics counting = opened.callMetrics();
    metrics = counting;
    flights = opened.calls().flights(operator, call, counting);
    clock = opened.calls().clock();
    Opened.store(store)
        .range(
            null,
            null,
            (key, content) -> {
              long number = TimeKey.time(key);
              if (number == WATERMARK) {
                passed = content.time();
                passedKept = passed;
              } else if (number == NEXT) {
                nextNumber = content.time();
              } else {
                nextNumber = number + 1;
                add(number, content).kept = true;
              }
              return true;
            });
    counting.waiting(rows.size());
    frozen = nextNumber;
  }

  @Override
  public void process(RowCursor cursor, RowSink out) {
    if (asking.change()) {
      nextNumber = Math.max(nextNumber, Opened.store(clock).millis() << NUMBER_BITS);
    }
    while (cursor.next()) {
      Row row = add(nextNumber, WaitingRow.of(cursor));
      nextNumber++;
      if (asking.change()) {
        keep(row);
      }
    }
    emitReady(out);
  }

  private Row add(long number, WaitingRow content) {
    Row row = new Row(number, content, asking.question(number, content));
    Line line = enter(row);
    if (!asking.change() && (call.order() != Call.Order.ONE_BY_ONE || line.rows.size() == 1)) {
      ask(line, row);
    }
    return row;
  }

  /// Has a row wait, behind all others.
  private Line enter(Row row) {
    rows.put(row.number, row);
    times.merge(row.content.time(), 1, Integer::sum);
    Line line = line(row.content.key());
    line.rows.add(row);
    row.line = line;
    return line;
  }

  private Line line(@Nullable Bytes key) {
    if (call.order() == Call.Order.NONE) {
      return new Line(null);
    }
    return lines.computeIfAbsent(key == null ? NO_KEY : key, Line::new);
  }

  private void ask(Line line, Row row) {
    Object question = row.question;
    Asked asked = question == null ? Asked.nothing() : Opened.store(flights).ask(question);
    row.asked = asked;
    await(line, asked);
  }

  /// Asks for the last of the committed rows of a line, in place of all.
  private void askForLast(Line line) {
    Row last = null;
    for (Row row : line.rows) {
      last = row.number < committed ? row : last;
    }
    if (last == null) {
      return;
    }
    Asked asked = Opened.store(flights).ask(Opened.store(last.question));
    for (Row row : line.rows) {
      if (row.number <= last.number) {
        row.asked = asked;
      }
    }
    await(line, asked);
  }

  private void await(Line line, Asked asked) {
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
          askNext(line, first);
        }
      }
      if (first == null && line.key != null) {
        lines.remove(line.key, line);
      }
    }
    Opened.store(metrics).waiting(rows.size());
  }

  private void askNext(Line line, Row first) {
    if (asking.change()) {
      askForLast(line);
    } else {
      ask(line, first);
    }
  }

  private void emit(Bytes place, Row row, Asked asked, RowSink out) {
    CallFailedException failure = asked.failure();
    if (failure != null) {
      Origin origin = row.content.origin();
      CallFailedException placed = origin == null ? failure : failure.at(origin.toString());
      FailedResults failed = Opened.store(context).failed();
      if (!failed.goesOn()) {
        throw placed;
      }
      failed.giveUp(due(place), kept(place), placed);
      return;
    }
    Object result = asking.result(row.content, asked.answer());
    if (result != null) {
      out.emit(row.content.key(), result, row.content.time());
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
    committedRows -= row.number < committed ? 1 : 0;
    times.computeIfPresent(row.content.time(), (_, count) -> count == 1 ? null : count - 1);
    if (row.kept) {
      Opened.store(store).delete(key(row.number));
    }
  }

  @Override
  public boolean hasRoom() {
    int waiting = asking.change() ? committedRows : rows.size();
    return waiting < 2L * call.limits().inFlight() * Opened.store(flights).most();
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
  public boolean mark() {
    rowsMarked = List.copyOf(rows.values());
    nextMarked = nextNumber;
    return true;
  }

  /// Opened anew it would ask again for all that is under way.
  @Override
  public boolean undo() {
    // Answers that are still to come find nothing there.
    rows.values().forEach(row -> Opened.store(row.line).rows.clear());
    rows.clear();
    times.clear();
    lines.clear();
    ready.clear();
    emitted.clear();
    nextNumber = nextMarked;
    committedRows = 0;
    for (Row row : rowsMarked) {
      Line line = enter(row);
      committedRows += row.number < committed ? 1 : 0;
      if (row.asked != null) {
        await(line, row.asked);
      }
    }
    Opened.store(metrics).waiting(rows.size());
    return true;
  }

  /// Rows that still wait are kept now, when none of them is at hand any more.
  @Override
  public void beforeCommit(long number) {
    for (Row row : rows.values()) {
      try {
        keep(row);
      } catch (EntryTooLargeException e) {
        throw tooLargeToWait(row.content.origin(), e);
      }
    }
    if (passed != passedKept) {
      Opened.store(store).put(key(WATERMARK), WaitingRow.number(passed));
      passedKept = passed;
    }
    if (asking.change() && nextNumber != frozen) {
      Opened.store(store).put(key(NEXT), WaitingRow.number(nextNumber));
    }
    frozen = nextNumber;
  }

  private static EntryTooLargeException tooLargeToWait(
      @Nullable Origin origin, EntryTooLargeException e) {
    return origin == null
        ? e
        : new EntryTooLargeException(
            "The record at %s waits for an answer, and is too large to be stored meanwhile. %s%nOr skip it with --skip %s; errors.on-error does not apply here."
                .formatted(origin, e.getMessage(), origin));
  }

  private void keep(Row row) {
    if (!row.kept) {
      Opened.store(store).put(key(row.number), row.content);
      row.kept = true;
    }
  }

  /// Asks for what has waited for this commit.
  @Override
  public boolean afterCommit(long number) {
    committed = frozen;
    if (!asking.change()) {
      return false;
    }
    committedRows = 0;
    for (Row row : rows.values()) {
      if (row.number < committed) {
        committedRows++;
        Line line = line(row.content.key());
        if (row.asked == null && line.rows.peek() == row) {
          askForLast(line);
        }
      }
    }
    return false;
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
    context = null;
    clock = null;
    if (open != null) {
      open.close();
    }
    if (counting != null) {
      counting.waiting(0);
    }
  }
}
