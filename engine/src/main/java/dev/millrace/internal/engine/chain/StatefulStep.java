package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.ClockedOperator;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.FailedResults;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.RowSink;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An operator with state in its place in the chain.
final class StatefulStep extends Step {
  private final Supplier<Operator> operators;
  private Operator operator;
  private final Cursor cursor;
  private final Emitter emitter = new Emitter();
  private final Rows empty = new Rows();
  private final Rows out = new Rows();
  private final ResultOrigins begun = new ResultOrigins();
  private FailedResults failed = FailedResults.NONE;
  private boolean wantsRetractions;

  StatefulStep(
      String name, Place place, Supplier<Operator> operators, @Nullable Serde<Object> keySerde) {
    super(name, place);
    this.operators = operators;
    operator = operators.get();
    cursor = new Cursor(empty, keySerde);
  }

  /// Says that a step behind it wants to know what is taken back.
  void wantRetractions() {
    wantsRetractions = true;
  }

  Operator operator() {
    return operator;
  }

  void open(OperatorContext context) {
    failed = context.failed();
    operator.open(context);
  }

  /// Puts another operator in the place of one that was closed.
  void renew() {
    operator = operators.get();
  }

  @Override
  void apply(Rows rows) {
    apply(0, rows);
  }

  private void apply(int input, Rows rows) {
    place().touch();
    StatefulStep source = place().source();
    cursor.start(rows);
    begun.clear();
    out.startMade(rows);
    operator.process(input, cursor, emitter);
    if (cursor.row + 1 < rows.size()) {
      throw new IllegalStateException(
          "It returned after %d of %d records. A processor must read all of its records: while (records.next())."
              .formatted(cursor.row + 1, rows.size()));
    }
    forward(out);
    place().source(source);
  }

  /// Where rows of one of several inputs come in.
  static final class Side extends Step {
    private final StatefulStep step;
    private final int input;

    Side(StatefulStep step, Place place, int input) {
      super(step.name, place);
      this.step = step;
      this.input = input;
    }

    @Override
    void apply(Rows rows) {
      place().enterSide();
      step.apply(input, rows);
    }
  }

  /// See [Operator#advance].
  boolean advance(Place place, long watermark, int budget) {
    begin(place);
    boolean done = operator.advance(watermark, budget, emitter);
    forward(out);
    place.end();
    return done;
  }

  /// See [AsyncOperator#poll].
  boolean poll(Place place, AsyncOperator async) {
    begin(place);
    boolean any = async.poll(emitter);
    forward(out);
    place.end();
    return any;
  }

  /// See [ClockedOperator#tick].
  boolean tick(Place place, ClockedOperator clocked, long nowMillis, int budget) {
    begin(place);
    boolean any = clocked.tick(nowMillis, budget, emitter);
    forward(out);
    place.end();
    return any;
  }

  private void begin(Place place) {
    place.begin(this, empty);
    cursor.start(empty);
    begun.clear();
    out.startMade(null);
  }

  /// What it has begun, while time moves on or answers come.
  ResultOrigins begun() {
    return begun;
  }

  private final class Emitter implements RowSink {
    @Override
    public void emit(Object value, long timestamp) {
      out.addResult(cursor.rows, cursor.row, value, timestamp, true);
    }

    @Override
    public void emit(@Nullable Bytes keyBytes, Object value, long timestamp) {
      out.addOwn(keyBytes, value, timestamp, begun.origin());
    }

    @Override
    public boolean begins(Bytes at) {
      if (!failed.isEmpty()) {
        Due due = operator.due(at);
        if (due != null && failed.contains(due.id())) {
          failed.passOver(due, operator.kept(at));
          return false;
        }
      }
      begun.add(at);
      place().source(StatefulStep.this);
      return true;
    }

    @Override
    public boolean wantsRetractions() {
      return wantsRetractions;
    }

    @Override
    public void retract(@Nullable Bytes keyBytes, Object value, long timestamp) {
      if (wantsRetractions) {
        out.addOwn(keyBytes, value, timestamp, begun.origin());
        out.retract();
      }
    }
  }
}
