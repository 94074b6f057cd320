package dev.millrace.internal.engine.operators.table;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.DueEntries;
import dev.millrace.internal.engine.operators.rows.KeptRows;
import dev.millrace.internal.engine.operators.rows.KeptRows.Kept;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.NetRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Has an operator take its rows tick by tick: those of all inputs before a tick, in order of event
/// time, when the watermark has come to it. What comes of them is emitted as one change, one
/// millisecond before the tick. So what the operator has emitted is, at each tick, a function of
/// all rows before it and of none behind it.
///
/// Until then rows are kept. Those of one tick are processed at once, and must fit into memory.
public final class TickOperator implements Operator {
  /// The place of the row that is processed.
  private static final Bytes ROW = Bytes.of(new byte[] {0});

  /// The place of what a tick changes: it comes of many rows.
  private static final Bytes CHANGE = Bytes.of(new byte[] {1});

  private final Operator inner;
  private final StoreSpec<Bytes, Kept> spec;
  private final long tickMillis;
  private final KeptRows rows;
  private final NetRows net;
  private final TimeKey timeKey = new TimeKey();

  /// What is kept of each place that rows of the batch at hand have; often it is one for all of
  /// them, such as that of a total.
  private final Map<Bytes, BytesWriter> gathered = new LinkedHashMap<>();

  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Kept> store;
  private @Nullable DueEntries<Kept> due;

  private TickOperator(
      Operator inner, StoreSpec<Bytes, Kept> spec, long tickMillis, KeptRows rows) {
    this.inner = inner;
    this.spec = spec;
    this.tickMillis = tickMillis;
    this.rows = rows;
    net = new NetRows(inner::entry);
  }

  /// An operator that does at ticks what another does at once.
  ///
  /// @param keys of the rows
  /// @param values of the rows of each input
  public static Declaration declare(
      String name,
      Declaration inner,
      long tickMillis,
      Serde<Object> keys,
      List<Serde<Object>> values) {
    StoreSpec<Bytes, Kept> waiting =
        KeyBytesSerde.afterTime(keys).spec(name + "-waiting", new Kept.Format(values));
    List<StoreSpec<?, ?>> stores = new ArrayList<>(inner.stores());
    stores.add(waiting);
    Declaration declared =
        new Declaration(
            () ->
                new TickOperator(
                    inner.factory().create(), waiting, tickMillis, new KeptRows(keys, values)),
            stores,
            inner.parameters().withMillis("tick", tickMillis),
            inner.correctsMillis());
    return inner.waitsForTable() ? declared.waitingForTable() : declared;
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    store = opened.store(spec);
    due = new DueEntries<>(store);
    inner.open(opened);
  }

  @Override
  public void process(RowCursor cursor, RowSink out) {
    process(0, cursor, out);
  }

  @Override
  public void process(int input, RowCursor cursor, RowSink out) {
    gathered.clear();
    KeyValueStore<Bytes, Kept> all = Opened.store(store);
    long passed = lastTick(Opened.store(context).watermark());
    while (cursor.next()) {
      long time = AlignedWindows.requireNear(cursor.timestamp());
      // What is late is part of the first tick that is not passed.
      Bytes place = timeKey.of(Math.max(time, passed), Opened.key(cursor));
      BytesWriter frames = gathered.get(place);
      if (frames == null) {
        frames = KeptRows.behind(all.get(place));
        gathered.put(place.copy(), frames);
      }
      rows.keep(input, cursor, frames);
    }
    gathered.forEach((place, frames) -> {
      all.put(place, new Kept(Bytes.of(frames.toByteArray())));
      Opened.store(due).added(place);
    });
  }

  /// The last tick up to a time; `Long.MIN_VALUE` before all ticks.
  private long lastTick(long time) {
    if (time < -AlignedWindows.FARTHEST || time > AlignedWindows.FARTHEST) {
      return time;
    }
    return time - Math.floorMod(time, tickMillis);
  }

  @Override
  public boolean advance(long newWatermark, int budget, RowSink out) {
    long last = lastTick(newWatermark);
    int left = budget;
    while (left > 0) {
      List<Bytes> taken = takeTick(last);
      if (taken.isEmpty()) {
        return inner.advance(newWatermark, budget, out);
      }
      long tick = lastTick(TimeKey.time(taken.getFirst())) + tickMillis;
      rows.sort(() -> out.begins(ROW));
      rows.eachRun(
          budget == 1,
          (input, run) -> {
            net.of(run);
            inner.process(input, run, net);
          });
      out.begins(CHANGE);
      left -= Math.max(1, net.emit(tick - 1, out));
      taken.forEach(Opened.store(store)::delete);
    }
    return false;
  }

  @Override
  public @Nullable Due due(Bytes place) {
    if (place.equals(ROW)) {
      return rows.due();
    }
    return place.equals(CHANGE) ? null : inner.due(place);
  }

  @Override
  public @Nullable Bytes kept(Bytes place) {
    return place.equals(ROW) ? rows.kept() : inner.kept(place);
  }

  /// Takes over the rows of the first tick that has any, if it is due.
  ///
  /// @return their places, in order
  private List<Bytes> takeTick(long lastTick) {
    List<Bytes> taken = new ArrayList<>();
    rows.clear();
    Opened.store(due)
        .walk(
            lastTick == Long.MIN_VALUE ? lastTick : lastTick - 1,
            (place, kept) -> {
              boolean same =
                  taken.isEmpty()
                      || lastTick(TimeKey.time(place)) == lastTick(TimeKey.time(taken.getFirst()));
              if (same) {
                Bytes own = place.copy();
                taken.add(own);
                rows.add(TimeKey.time(own), TimeKey.rowKey(own, new Bytes()), kept);
              }
              return same;
            });
    return taken;
  }

  @Override
  public boolean resultsVanish() {
    return inner.resultsVanish();
  }

  @Override
  public boolean mark() {
    return inner.mark();
  }

  @Override
  public void beforeCommit(long number) {
    inner.beforeCommit(number);
  }

  @Override
  public boolean afterCommit(long number) {
    return inner.afterCommit(number);
  }

  @Override
  public void close() {
    inner.close();
    context = null;
    store = null;
    due = null;
  }
}
