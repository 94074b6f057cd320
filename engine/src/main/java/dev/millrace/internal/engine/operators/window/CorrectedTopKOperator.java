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
import dev.millrace.internal.engine.operators.rows.Fired;
import dev.millrace.internal.engine.operators.rows.Panes;
import dev.millrace.internal.engine.operators.rows.Ranking;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// [TopKOperator] for results that are corrected: it keeps all results of a window, since for one
/// that falls behind another takes its place that was not among the `k` largest.
///
/// Where the ranking of a closed window changes, the ranks that change are taken back and emitted
/// anew, once for all rows of a batch. A step emits whole windows.
public final class CorrectedTopKOperator implements Operator {
  private final StoreSpec<Bytes, Ranking> rankingSpec;
  private final StoreSpec<Bytes, Object> resultSpec;
  private final StoreSpec<Bytes, Bytes> firedSpec;
  private final int k;
  private final AlignedWindows windows;
  private final Serde<Object> keySerde;
  private final RankingPlaces places;
  private final BytesWriter keyWriter = new BytesWriter(64);
  private final Bytes keyView = new Bytes();

  /// By place, the rankings of closed windows that rows of a batch change, as they were.
  private final Map<Bytes, List<Ranking.Entry>> before = new TreeMap<>();

  /// The places of rankings that lost one of the `k` largest.
  private final TreeSet<Bytes> incomplete = new TreeSet<>();

  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Ranking> rankings;
  private @Nullable KeyValueStore<Bytes, Object> results;
  private @Nullable Fired fired;
  private @Nullable DueEntries<Ranking> due;
  private @Nullable DueEntries<Ranking> goneRankings;
  private @Nullable DueEntries<Object> goneResults;

  private CorrectedTopKOperator(
      StoreSpec<Bytes, Ranking> rankingSpec,
      StoreSpec<Bytes, Object> resultSpec,
      StoreSpec<Bytes, Bytes> firedSpec,
      int k,
      AlignedWindows windows,
      Serde<Object> keySerde,
      boolean grouped) {
    this.rankingSpec = rankingSpec;
    this.resultSpec = resultSpec;
    this.firedSpec = firedSpec;
    this.k = k;
    this.windows = windows;
    this.keySerde = keySerde;
    places = new RankingPlaces(grouped);
  }

  /// See [TopKOperator#declare].
  public static Declaration declare(
      String name,
      int k,
      AlignedWindows windows,
      Serde<Object> keys,
      Serde<Object> values,
      @Nullable Serde<Object> groups) {
    StoreSpec<Bytes, Ranking> rankings = RankingPlaces.spec(name, groups, keys, values);
    StoreSpec<Bytes, Object> results =
        RankingPlaces.ofResults(groups, keys).spec(name + "-results", values);
    StoreSpec<Bytes, Bytes> fired = Fired.spec(name, RankingPlaces.ofRankings(groups));
    return new Declaration(
        () -> new CorrectedTopKOperator(rankings, results, fired, k, windows, keys, groups != null),
        List.of(rankings, results, fired),
        Parameters.of("corrected top").with("k", k),
        windows.latenessMillis());
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    rankings = opened.store(rankingSpec);
    results = opened.store(resultSpec);
    due = new DueEntries<>(rankings);
    goneRankings = new DueEntries<>(rankings);
    goneResults = new DueEntries<>(results);
    fired = new Fired(opened.store(firedSpec));
    fired.restore(due, windows.lastClosed(opened.watermark()));
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    long watermark = opened.watermark();
    while (rows.next()) {
      WindowResult<?, ?> result = (WindowResult<?, ?>) rows.value();
      long start = result.window().start().toEpochMilli();
      if (windows.gone(start, watermark)) {
        opened.late(rows);
      } else {
        Bytes place = places.ranking(start, rows);
        update(place, windows.closed(start, watermark), result, rows.isRetraction());
      }
    }
    incomplete.forEach(this::rankAnew);
    incomplete.clear();
    correct(out);
  }

  private void update(Bytes place, boolean closed, WindowResult<?, ?> result, boolean retraction) {
    Ranking ranking = ranking(place);
    if (closed && !before.containsKey(place)) {
      before.put(place.copy(), List.copyOf(ranking.entries()));
    }
    keyWriter.clear();
    keySerde.write(result.key(), keyWriter);
    Bytes key = keyWriter.view(keyView, 0);
    KeyValueStore<Bytes, Object> all = Opened.store(results);
    Bytes resultKey = places.result(place, key);
    if (retraction) {
      if (all.get(resultKey) == null) {
        throw Panes.nothingToTakeBack();
      }
      all.delete(resultKey);
      if (ranking.remove(key)) {
        incomplete.add(place.copy());
      }
    } else {
      all.put(resultKey, result.value());
      Opened.store(goneResults).added(resultKey);
      ranking.add(key, result.value(), k);
    }
    put(place, closed, ranking);
  }

  private Ranking ranking(Bytes place) {
    Ranking known = Opened.store(rankings).get(place);
    return known == null ? Ranking.empty() : known;
  }

  private void put(Bytes place, boolean closed, Ranking ranking) {
    Opened.store(rankings).put(place, ranking);
    Opened.store(goneRankings).added(place);
    if (!closed) {
      Opened.store(due).added(place);
    }
  }

  private void rankAnew(Bytes place) {
    Ranking ranking = Ranking.empty();
    Bytes from = places.results(place);
    Opened.store(results)
        .range(
            from,
            RankingPlaces.behind(from),
            (resultKey, value) -> {
              ranking.add(places.key(resultKey), value, k);
              return true;
            });
    Opened.store(rankings).put(place, ranking);
  }

  private void correct(RowSink out) {
    before.forEach((place, old) -> {
      Bytes group = places.group(place);
      long start = TimeKey.time(place);
      List<Ranking.Entry> now = ranking(place).entries();
      for (int i = 0; i < old.size(); i++) {
        boolean goes = i >= now.size() || !old.get(i).equals(now.get(i));
        // What was passed over cannot be taken back.
        if (goes && !Opened.store(fired).forget(places.result(place, old.get(i).key()))) {
          out.retract(group, ranked(start, i + 1, old.get(i)), windows.end(start) - 1);
        }
      }
      for (int i = 0; i < now.size(); i++) {
        if (i >= old.size() || !old.get(i).equals(now.get(i))) {
          out.emit(group, ranked(start, i + 1, now.get(i)), windows.end(start) - 1);
        }
      }
    });
    before.clear();
  }

  private Ranked<Object, Object> ranked(long start, int rank, Ranking.Entry entry) {
    return new Ranked<>(windows.window(start), rank, keySerde.read(entry.key()), entry.value());
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    Firing firing = new Firing(budget, out);
    boolean done = Opened.store(due).walk(windows.lastClosed(watermark), firing);
    firing.passedOver.forEach(Opened.store(fired)::passOver);
    if (firing.last != null) {
      Opened.store(fired).upTo(firing.last);
    }
    long gone = windows.lastGone(watermark);
    return done
        && Opened.store(goneResults).take(gone, budget, Opened.store(results)::delete)
        && Opened.store(goneRankings).take(gone, budget, this::forget);
  }

  private void forget(Bytes place) {
    Opened.store(rankings).delete(place);
    Opened.store(fired).forgetBefore(TimeKey.time(place) + 1);
  }

  @Override
  public Due due(Bytes place) {
    return places.due(place, windows);
  }

  @Override
  public void close() {
    context = null;
    rankings = null;
    results = null;
    fired = null;
    due = null;
    goneRankings = null;
    goneResults = null;
  }

  /// Emits due rankings until the budget is spent.
  private final class Firing implements KeyValueStore.Visitor<Bytes, Ranking> {
    private final RowSink out;
    private int left;
    private final List<Bytes> passedOver = new ArrayList<>();
    private @Nullable Bytes last;

    Firing(int budget, RowSink out) {
      this.left = budget;
      this.out = out;
    }

    @Override
    public boolean entry(Bytes storeKey, Ranking ranking) {
      if (left <= 0) {
        return false;
      }
      long start = TimeKey.time(storeKey);
      List<Ranking.Entry> entries = ranking.entries();
      for (int i = 0; i < entries.size(); i++) {
        Bytes place = places.result(storeKey, entries.get(i).key()).copy();
        if (out.begins(place)) {
          out.emit(
              places.group(storeKey), ranked(start, i + 1, entries.get(i)), windows.end(start) - 1);
        } else {
          passedOver.add(place);
        }
      }
      left -= Math.max(1, entries.size());
      last = storeKey.copy();
      return true;
    }
  }
}
