package dev.millrace.internal.engine.operators.table;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Identity;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.DueEntries;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.Notes;
import dev.millrace.internal.engine.operators.rows.PassedTimes;
import dev.millrace.internal.engine.operators.rows.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Lets the first row of a key through, or of a key and an attribute, and none that is less than a
/// duration of event time behind one that it let through.
///
/// A row waits until the watermark is behind it, so that it is judged when all rows before it were.
/// A late one is judged when it comes, by what was let through before and behind it: what went on
/// is never taken back. For that the times of what went on are kept for two durations.
public final class DeduplicateOperator implements Operator {
  /// The longest duration: a thousand years of 365 days.
  public static final long LONGEST_MILLIS = 365_000L * 24 * 60 * 60 * 1000;

  private final Spec spec;
  private final Identity identity;
  private final TimeKey timeKey = new TimeKey();
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Object> waiting;
  private @Nullable KeyValueStore<Bytes, PassedTimes> passed;
  private @Nullable ReadAhead ahead;
  private @Nullable DueEntries<Object> due;
  private @Nullable Notes notes;

  private DeduplicateOperator(Spec spec, Identity identity) {
    this.spec = spec;
    this.identity = identity;
  }

  /// Rows of one time and identity of which the first waits, when those of an identity went on, and
  /// the same in order of time.
  private record Spec(
      StoreSpec<Bytes, Object> waiting,
      StoreSpec<Bytes, PassedTimes> passed,
      StoreSpec<Bytes, Boolean> notes,
      long withinMillis) {}

  /// A row that waited.
  private record Waiting(Bytes identity, long time, Object value) {}

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows
  /// @param attribute of a value, beside the key; null if the key alone counts
  /// @param attributes the serde of what it gives; null without it
  public static Declaration declare(
      String name,
      long withinMillis,
      Serde<Object> keys,
      Serde<Object> values,
      @Nullable Mapper<Object, Object> attribute,
      @Nullable Serde<Object> attributes) {
    String beside = attributes == null ? "" : "key+" + attributes.id() + " ";
    Spec spec =
        new Spec(
            StoreSpec.<Bytes, Object>keyValue(
                    name + "-waiting", new KeyBytesSerde("time+" + beside, keys), values)
                .withRanges(),
            StoreSpec.keyValue(name, new KeyBytesSerde(beside, keys), new PassedTimes.Format()),
            new KeyBytesSerde("time+" + beside, keys).spec(name + "-times", new Timers.Mark()),
            withinMillis);
    return new Declaration(
        () -> new DeduplicateOperator(spec, new Identity(attribute, attributes)),
        List.of(spec.waiting, spec.passed, spec.notes),
        Parameters.of("deduplicate").withMillis("within", withinMillis));
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    KeyValueStore<Bytes, Object> rows = opened.store(spec.waiting);
    waiting = rows;
    passed = opened.store(spec.passed);
    ahead = opened.readAhead(spec.passed);
    due = new DueEntries<>(rows);
    notes = new Notes(opened.store(spec.notes));
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    long watermark = opened.watermark();
    while (rows.next()) {
      long time = AlignedWindows.requireNear(rows.timestamp());
      Object value = Opened.value(rows);
      Bytes same = identity.of(Opened.key(rows), value);
      if (time >= watermark) {
        await(same, time, value);
      } else if (time < before(watermark, spec.withinMillis)) {
        opened.late(rows);
      } else if (pass(same, time)) {
        out.emit(Opened.key(rows), value, time);
      }
    }
  }

  /// At one time the first to come is the first.
  private void await(Bytes same, long time, Object value) {
    KeyValueStore<Bytes, Object> rows = Opened.store(waiting);
    Bytes place = timeKey.of(time, same);
    if (rows.get(place) == null) {
      rows.put(place, value);
      Opened.store(due).added(place);
    }
  }

  /// Lets a row through, unless one went on that is near.
  private boolean pass(Bytes same, long time) {
    KeyValueStore<Bytes, PassedTimes> all = Opened.store(passed);
    PassedTimes before = Objects.requireNonNullElse(all.get(same), PassedTimes.NONE);
    if (before.anyNear(time, spec.withinMillis)) {
      return false;
    }
    all.put(same, before.with(time));
    Opened.store(notes).put(timeKey.of(time, same));
    return true;
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    List<Waiting> settled = new ArrayList<>();
    boolean done =
        Opened.store(due)
            .walk(
                before(watermark, 1),
                (place, value) -> {
                  boolean room = settled.size() < budget;
                  if (room) {
                    Bytes same = TimeKey.rowKey(place.copy(), new Bytes());
                    settled.add(new Waiting(same, TimeKey.time(place), Opened.kept(value)));
                  }
                  return room;
                });
    readAhead(settled);
    for (Waiting row : settled) {
      Bytes place = timeKey.of(row.time, row.identity).copy();
      boolean begins = out.begins(place);
      Opened.store(waiting).delete(place);
      // One that is passed over counts as one that never came.
      if (begins && pass(row.identity, row.time)) {
        out.emit(identity.key(row.identity), row.value, row.time);
      }
    }
    return done
        && Opened.store(notes).take(before(watermark, 2 * spec.withinMillis), budget, this::forget);
  }

  @Override
  public Due due(Bytes place) {
    Bytes key = identity.key(TimeKey.rowKey(place, new Bytes()));
    return new Due(place, "row", key, TimeKey.time(place), null);
  }

  @Override
  public @Nullable Bytes kept(Bytes place) {
    Object value = Opened.store(waiting).get(place);
    return value == null ? null : Opened.bytes(spec.waiting.valueSerde(), value);
  }

  private void readAhead(List<Waiting> rows) {
    ReadAhead reading = Opened.store(ahead);
    if (!rows.isEmpty() && reading.pays()) {
      rows.forEach(row -> reading.want(row.identity));
      reading.load();
    }
  }

  private void forget(Bytes same, long time) {
    KeyValueStore<Bytes, PassedTimes> all = Opened.store(passed);
    PassedTimes times = Objects.requireNonNullElse(all.get(same), PassedTimes.NONE).after(time);
    if (times.isEmpty()) {
      all.delete(same);
    } else {
      all.put(same, times);
    }
  }

  /// So long before a watermark; before all times if that is not known.
  private static long before(long watermark, long millis) {
    return watermark < Long.MIN_VALUE + millis ? Long.MIN_VALUE : watermark - millis;
  }

  @Override
  public void close() {
    context = null;
    waiting = null;
    passed = null;
    ahead = null;
    due = null;
    notes = null;
  }
}
