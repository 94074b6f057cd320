package dev.millrace.internal.engine.operators.join;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
import dev.millrace.internal.engine.operators.rows.Panes;
import dev.millrace.internal.engine.operators.rows.RowPlaces;
import dev.millrace.internal.engine.operators.rows.TimedRows;
import dev.millrace.internal.engine.operators.rows.TimedRows.Found;
import dev.millrace.internal.engine.operators.rows.Version;
import dev.millrace.internal.engine.operators.rows.Versions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Joins the rows of a stream, its first input, with what a table had for their key at their event
/// time. The second input are the table's [Version]s, each at its own time, in any order; not its
/// changes, of which some are left out, and whose times are those of what caused them. A row waits
/// until the watermark says that all versions up to its time are there; its result has its own
/// time.
///
/// A version that comes late corrects the results of rows that are kept for that. One that comes
/// even later holds for the rows to come, unless a newer one is known; that a key was deleted is
/// forgotten then.
public final class AsOfJoinOperator implements Operator {
  private final TimedRows rows;
  private final Versions versions;
  private final Lateness lateness;
  private final JoinFunction joiner;

  /// The settled rows whose version a batch may change, with the version that they had.
  private final Map<Place, Version> before = new LinkedHashMap<>();

  private @Nullable OperatorContext context;

  /// A key and a time.
  private record Place(Bytes key, long time) {}

  /// How late something may be, in milliseconds of event time.
  ///
  /// @param rowsMillis until a row of the stream is too late
  /// @param takenBackMillis for how long versions of the table may be taken back; 0 if never. Then
  ///   a version takes the place of what its key had at the same time
  public record Lateness(long rowsMillis, long takenBackMillis) {
    private long versionsMillis() {
      return Math.max(rowsMillis, takenBackMillis);
    }
  }

  private AsOfJoinOperator(
      TimedRows rows, Versions versions, Lateness lateness, JoinFunction joiner) {
    this.rows = rows;
    this.versions = versions;
    this.lateness = lateness;
    this.joiner = joiner;
  }

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows
  /// @param values of the stream and of the table's versions
  /// @param joiner gets the row's value and the table's, or null if it has none; a row for which it
  ///   returns null has no result
  public static Declaration declare(
      String name,
      Lateness lateness,
      Serde<Object> keys,
      List<Serde<Object>> values,
      JoinFunction joiner) {
    TimedRows.Spec ofRows = TimedRows.Spec.of(name, keys, values.get(0));
    Versions.Spec ofVersions = Versions.Spec.of(name + "-versions", keys, values.get(1));
    List<StoreSpec<?, ?>> stores = new ArrayList<>(ofRows.all());
    stores.addAll(ofVersions.all());
    return new Declaration(
        () ->
            new AsOfJoinOperator(new TimedRows(ofRows), new Versions(ofVersions), lateness, joiner),
        stores,
        Parameters.of("as-of join")
            .withMillis("lateness", lateness.rowsMillis)
            .withMillis("lateness of the table", lateness.takenBackMillis),
        lateness.rowsMillis);
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    rows.open(opened, settled(opened.watermark()));
    versions.open(opened);
  }

  /// The last time whose rows are settled: later changes have later times.
  private static long settled(long watermark) {
    return watermark == Long.MIN_VALUE ? watermark : watermark - 1;
  }

  /// The last time whose rows are gone.
  private long gone(long watermark) {
    return Versions.gone(watermark, lateness.rowsMillis);
  }

  /// The last time whose versions nobody asks for: all that may come have later times.
  private long replaced(long watermark) {
    return Versions.gone(watermark, lateness.versionsMillis());
  }

  @Override
  public void process(RowCursor cursor, RowSink out) {
    throw new IllegalStateException("A join has several inputs.");
  }

  @Override
  public void process(int input, RowCursor cursor, RowSink out) {
    OperatorContext opened = Opened.store(context);
    long settled = settled(opened.watermark());
    long gone = gone(opened.watermark());
    while (cursor.next()) {
      Bytes key = Opened.key(cursor);
      long time = AlignedWindows.requireNear(cursor.timestamp());
      if (input == 1) {
        change(key, time, cursor, opened);
      } else if (time <= gone) {
        opened.late(cursor);
      } else {
        row(key, time, cursor, settled, out);
      }
    }
    correct(out);
  }

  private void row(Bytes key, long time, RowCursor row, long settled, RowSink out) {
    Object value = Opened.value(row);
    boolean goes = row.isRetraction();
    if (goes) {
      rows.remove(key, time, value);
    } else {
      rows.add(key, time, value, time <= settled);
    }
    if (time <= settled) {
      send(key, time, value, versions.at(key, time), goes, out);
    }
  }

  private void send(
      Bytes key, long time, Object value, Version version, boolean goes, RowSink out) {
    if (goes && rows.fired().any() && rows.fired().forget(rows.id(0, key, time, value))) {
      return; // it was passed over
    }
    Object result = joiner.join(value, version.value());
    if (result == null) {
      return;
    }
    if (goes) {
      out.retract(key, result, time);
    } else {
      out.emit(key, result, time);
    }
  }

  private void change(Bytes key, long time, RowCursor change, OperatorContext opened) {
    long watermark = opened.watermark();
    long replaced = replaced(watermark);
    boolean goes = change.isRetraction();
    long next = versions.nextAfter(key, time);
    if (next <= replaced || (goes && time <= replaced)) {
      opened.late(change); // all rows that may come are behind a newer version
      return;
    }
    long from = Math.max(time, gone(watermark) + 1);
    for (Found found : rows.find(key, from, Math.min(next - 1, settled(watermark)))) {
      before.putIfAbsent(new Place(key.copy(), found.time()), versions.at(key, found.time()));
    }
    Version version = (Version) change.value();
    if (lateness.takenBackMillis == 0) {
      versions.put(key, time, version);
    } else if (!goes) {
      versions.add(key, time, version);
    } else if (!versions.remove(key, time, version)) {
      throw Panes.nothingToTakeBack();
    }
  }

  private void correct(RowSink out) {
    before.forEach((place, old) -> {
      Version now = versions.at(place.key, place.time);
      if (!Objects.equals(old.value(), now.value())) {
        for (Found found : rows.find(place.key, place.time, place.time)) {
          for (Object value : found.values()) {
            send(place.key, place.time, value, old, true, out);
            send(place.key, place.time, value, now, false, out);
          }
        }
      }
    });
    before.clear();
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    boolean done =
        rows.settle(
            settled(watermark),
            budget,
            (note, key, found) -> {
              Version version = versions.at(key, found.time());
              for (int i = 0; i < found.values().size(); i++) {
                Object value = found.values().get(i);
                if (out.begins(RowPlaces.of(0, i, note))) {
                  send(key, found.time(), value, version, false, out);
                } else {
                  rows.fired().passOverRow(rows.id(0, key, found.time(), value));
                }
              }
            });
    return done
        && rows.forget(gone(watermark), budget)
        && versions.forget(replaced(watermark), budget);
  }

  @Override
  public Due due(Bytes place) {
    return rows.due(place);
  }

  @Override
  public Bytes kept(Bytes place) {
    return rows.kept(place);
  }

  @Override
  public void close() {
    context = null;
    rows.close();
    versions.close();
    before.clear();
  }
}
