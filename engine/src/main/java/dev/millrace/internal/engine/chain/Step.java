package dev.millrace.internal.engine.chain;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An operator of a task, or a [Run] of them: takes rows, gives rows to the steps behind it before
/// it returns.
///
/// Steps belong to one task. A step that fails leaves behind, in [Place], where it stood.
abstract class Step {
  /// What it is called in messages.
  final String name;

  private final Place place;

  /// The number of the operator that rows come to, and of the one that they leave: two in a [Run].
  private int first;

  private int last;
  private final List<Step> next = new ArrayList<>();

  Step(String name, Place place) {
    this.name = name;
    this.place = place;
  }

  /// Says which of [Chains#operators] it is.
  final void number(int operator) {
    number(operator, operator);
  }

  final void number(int firstOperator, int lastOperator) {
    first = firstOperator;
    last = lastOperator;
  }

  /// The operator at work, by its number. Called by any thread; tells what was so a moment ago.
  int numberAtWork() {
    return first;
  }

  final void then(Step step) {
    next.add(step);
  }

  /// Processes rows and everything behind them.
  final void process(Rows rows) {
    place.enter(this, rows);
    place.probe.took(first, rows.size());
    apply(rows);
  }

  abstract void apply(Rows rows);

  final Place place() {
    return place;
  }

  /// The operator at work, in messages.
  String where() {
    return name;
  }

  /// Gives rows to one of the steps behind this one.
  final void forwardTo(int index, Rows rows) {
    if (rows.size() > 0) {
      gave(rows.size());
      next.get(index).process(rows);
    }
  }

  final void forward(Rows rows) {
    if (rows.size() > 0) {
      gave(rows.size());
      int count = next.size();
      if (count > 1) {
        rows.share();
      }
      for (int i = 0; i < count; i++) {
        next.get(i).process(rows);
      }
    }
  }

  /// Counts rows that leave.
  final void gave(int rows) {
    place.probe.gave(last, rows);
  }

  /// The step in which a task is, and the rows it is at work on.
  static final class Place {
    private static final VarHandle STEP;

    static {
      try {
        STEP = MethodHandles.lookup().findVarHandle(Place.class, "step", Step.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    final Probe probe;

    /// The number of the operator that the records at work came in by.
    private int head;

    private @Nullable Step step;
    private @Nullable Rows rows;

    /// Whether an operator with several inputs was given the records at work, one input after the
    /// other: it may have failed at one of them for the sake of another that came behind it.
    private boolean sides;

    /// The operator whose results are made without a record at hand; null if records are processed.
    private @Nullable StatefulStep source;

    Place(Probe probe) {
      this.probe = probe;
    }

    /// Whether operators with state were at work since the last mark.
    private boolean touched;

    /// Begins with something that can be undone.
    void mark() {
      touched = false;
    }

    /// An operator with state is at work.
    void touch() {
      touched = true;
    }

    boolean isTouched() {
      return touched;
    }

    /// Forgets where something failed.
    void forget() {
      source = null;
      enter(null, null);
    }

    void enterSide() {
      sides = true;
    }

    /// Whether it is one of the records at work that failed, whoever failed.
    boolean isCertain() {
      return !sides;
    }

    /// Records are to be processed.
    void start() {
      sides = false;
    }

    /// Records come in.
    void enterHead(Step newHead, Rows newRows) {
      head = newHead.first;
      enter(newHead, newRows);
    }

    /// The number of the operator at work, that of the head while values are decoded; negative if
    /// none is. Called by any thread, and tells what was so a moment ago.
    int operatorNumber() {
      Step at = (Step) STEP.getAcquire(this);
      if (at == null) {
        return -1;
      }
      Rows on = rows;
      int operator = on != null && on.isDecoding() ? Rows.DECODING : at.numberAtWork();
      return operator == Rows.DECODING ? head : operator;
    }

    /// An operator begins to make results without a record at hand.
    void begin(StatefulStep operator, Rows none) {
      source = operator;
      touch();
      enter(operator, none);
    }

    /// All of that has gone through the steps behind it.
    void end() {
      source = null;
    }

    @Nullable StatefulStep source() {
      return source;
    }

    void source(@Nullable StatefulStep operator) {
      source = operator;
    }

    /// What the operator at the source was to make when it, or a step behind it, failed; null if it
    /// made none or that is not known.
    @Nullable Bytes result() {
      StatefulStep from = source;
      if (from == null) {
        return null;
      }
      if (step == from || from.begun().count() == 1) {
        return from.begun().last();
      }
      return rows == null || rows.current >= rows.size()
          ? null
          : from.begun().of(rows.origin(rows.current));
    }

    /// No operator is at work any more.
    void leave() {
      enter(null, null);
      probe.leave();
    }

    void enter(@Nullable Step newStep, @Nullable Rows newRows) {
      STEP.setRelease(this, newStep);
      rows = newRows;
    }

    /// The operator's name; empty outside of any.
    String operator() {
      return step == null ? "" : step.where();
    }

    /// The record at which the step stands, or -1 if it works on none.
    int record() {
      return rows == null || rows.batch() == null || rows.current >= rows.size()
          ? -1
          : Math.max(-1, rows.origin(rows.current));
    }
  }

  /// Where records come in: their timestamps, and nothing else.
  static final class Head extends Step {
    Head(String name, Place place) {
      super(name, place);
    }

    @Override
    void apply(Rows rows) {
      forward(rows);
    }
  }

  /// Gives rows that are late the watermark as their time.
  static final class InTime extends Step {
    private final TaskTime time;

    InTime(String name, Place place, TaskTime time) {
      super(name, place);
      this.time = time;
    }

    @Override
    void apply(Rows rows) {
      long watermark = time.watermark();
      for (int i = 0, size = rows.size(); i < size; i++) {
        if (rows.timestamp(i) < watermark) {
          rows.timestamp(i, watermark);
        }
      }
      forward(rows);
    }
  }

  /// Drops the rows that take back others.
  static final class Additions extends Step {
    private final Rows out = new Rows();

    Additions(String name, Place place) {
      super(name, place);
    }

    @Override
    void apply(Rows rows) {
      if (!rows.anyRetractions()) {
        forward(rows);
        return;
      }
      Object[] values = rows.values();
      out.startSelected(rows);
      for (int i = 0, size = rows.size(); i < size; i++) {
        rows.current = i;
        if (!rows.isRetraction(i)) {
          out.addSelected(rows, i, values[i]);
        }
      }
      forward(out);
    }
  }

  static final class FlatMap extends Step {
    private final Mapper<Object, Iterable<Object>> mapper;
    private final boolean keepsKey;
    private final Rows out = new Rows();

    FlatMap(String name, Place place, Mapper<Object, Iterable<Object>> mapper, boolean keepsKey) {
      super(name, place);
      this.mapper = mapper;
      this.keepsKey = keepsKey;
    }

    @Override
    void apply(Rows rows) {
      Object[] values = rows.values();
      out.startMade(rows);
      for (int i = 0, size = rows.size(); i < size; i++) {
        rows.current = i;
        for (Object value : mapper.map(values[i])) {
          out.addMade(rows, i, value, rows.timestamp(i), keepsKey);
        }
      }
      forward(out);
    }
  }

  static final class WithMetadata extends Step {
    private final @Nullable Serde<Object> keySerde;
    private final Rows out = new Rows();

    /// One for each row, used again.
    private final List<RowRecord> records = new ArrayList<>();

    WithMetadata(String name, Place place, @Nullable Serde<Object> keySerde) {
      super(name, place);
      this.keySerde = keySerde;
    }

    @Override
    void apply(Rows rows) {
      rows.values();
      out.startMade(rows);
      for (int i = 0, size = rows.size(); i < size; i++) {
        rows.current = i;
        out.addMade(rows, i, record(rows, i), rows.timestamp(i), true);
      }
      forward(out);
    }

    private RowRecord record(Rows rows, int row) {
      if (row == records.size()) {
        records.add(new RowRecord(rows, row, keySerde));
      }
      RowRecord record = records.get(row);
      record.rows = rows;
      return record;
    }
  }
}
