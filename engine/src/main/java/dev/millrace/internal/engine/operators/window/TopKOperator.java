package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.WindowResult;
import dev.millrace.api.WindowedTable.Ranked;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
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
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.DueEntries;
import dev.millrace.internal.engine.operators.rows.Ranking;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ranks the [WindowResult]s of all keys, or of those of each group: keeps the `k` largest of each
/// window and, when the watermark reaches the window's end, emits them as [Ranked], largest first,
/// without a key or under their group, at the end minus one millisecond.
///
/// A step that may not emit all of a window leaves the rest in the store with the rank to go on
/// from.
public final class TopKOperator implements Operator {
  private final StoreSpec<Bytes, Ranking> spec;
  private final int k;
  private final AlignedWindows windows;
  private final Serde<Object> keySerde;
  private final RankingPlaces places;
  private final BytesWriter keyWriter = new BytesWriter(64);
  private final Bytes keyView = new Bytes();
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Ranking> store;
  private @Nullable DueEntries<Ranking> due;

  private TopKOperator(
      StoreSpec<Bytes, Ranking> spec,
      int k,
      AlignedWindows windows,
      Serde<Object> keySerde,
      boolean grouped) {
    this.spec = spec;
    this.k = k;
    this.windows = windows;
    this.keySerde = keySerde;
    places = new RankingPlaces(grouped);
  }

  /// The operator as a topology carries it.
  ///
  /// @param windows those of the results
  /// @param keys of the results
  /// @param values of the results
  /// @param groups the keys that rows have, each of which has a ranking of its own; null if all
  ///   results of a window are ranked together
  public static Declaration declare(
      String name,
      int k,
      AlignedWindows windows,
      Serde<Object> keys,
      Serde<Object> values,
      @Nullable Serde<Object> groups) {
    StoreSpec<Bytes, Ranking> spec = RankingPlaces.spec(name, groups, keys, values);
    return new Declaration(
        () -> new TopKOperator(spec, k, windows, keys, groups != null),
        List.of(spec),
        Parameters.of("top").with("k", k));
  }

  /// The start of a result's window, in milliseconds since 1970: what the results are exchanged by.
  public static Object windowStart(Object result) {
    return ((WindowResult<?, ?>) result).window().start().toEpochMilli();
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    store = opened.store(spec);
    due = new DueEntries<>(store);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    long watermark = opened.watermark();
    while (rows.next()) {
      WindowResult<?, ?> result = (WindowResult<?, ?>) rows.value();
      long start = result.window().start().toEpochMilli();
      if (windows.closed(start, watermark)) {
        opened.late(rows);
      } else {
        rank(places.ranking(start, rows), result);
      }
    }
  }

  private void rank(Bytes storeKey, WindowResult<?, ?> result) {
    KeyValueStore<Bytes, Ranking> rankings = Opened.store(store);
    Ranking known = rankings.get(storeKey);
    Ranking ranking = known == null ? Ranking.empty() : known;
    keyWriter.clear();
    keySerde.write(result.key(), keyWriter);
    if (ranking.add(keyWriter.view(keyView, 0), result.value(), k)) {
      rankings.put(storeKey, ranking);
      Opened.store(due).added(storeKey);
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    Firing firing = new Firing(budget, out);
    boolean done = Opened.store(due).walk(windows.lastClosed(watermark), firing);
    firing.settle(Opened.store(store));
    return done;
  }

  @Override
  public Due due(Bytes place) {
    return places.due(place, windows);
  }

  @Override
  public void close() {
    context = null;
    store = null;
    due = null;
  }

  /// Emits due rankings until the budget is spent.
  private final class Firing implements KeyValueStore.Visitor<Bytes, Ranking> {
    private final RowSink out;
    private final List<Bytes> finished = new ArrayList<>();
    private int left;
    private @Nullable Bytes begun;
    private @Nullable Ranking rest;

    Firing(int budget, RowSink out) {
      this.left = budget;
      this.out = out;
    }

    @Override
    public boolean entry(Bytes storeKey, Ranking ranking) {
      int count = Math.min(left, ranking.entries().size());
      for (int i = 0; i < count; i++) {
        emit(storeKey, ranking.firstRank() + i, ranking.entries().get(i));
      }
      left -= count;
      if (count == ranking.entries().size()) {
        finished.add(storeKey.copy());
        return true;
      }
      if (count > 0) {
        begun = storeKey.copy();
        rest = ranking.after(count);
      }
      return false;
    }

    private void emit(Bytes storeKey, int rank, Ranking.Entry entry) {
      if (!out.begins(places.result(storeKey, entry.key()).copy())) {
        return;
      }
      long start = TimeKey.time(storeKey);
      Object key = keySerde.read(entry.key());
      Object ranked = new Ranked<>(windows.window(start), rank, key, entry.value());
      out.emit(places.group(storeKey), ranked, windows.end(start) - 1);
    }

    /// Takes what was emitted out of the store.
    void settle(KeyValueStore<Bytes, Ranking> rankings) {
      finished.forEach(rankings::delete);
      if (begun != null && rest != null) {
        rankings.put(begun, rest);
      }
    }
  }
}
