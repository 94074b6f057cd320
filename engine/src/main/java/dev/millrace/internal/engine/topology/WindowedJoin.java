package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.function.Joiner;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.rows.JoinFunction;

/// Adds a join of two windowed tables to a topology.
///
/// A result has the event time of the end of its window minus one millisecond. So where the windows
/// of both tables are equal, results of one window have equal times, and those of others have not:
/// the join is one of streams, of records with equal keys and times. Early results and corrections
/// are rows with retractions of what was before, as in every other join.
record WindowedJoin(Join join) {

  <K, W, R> WindowedTable<K, R> of(
      WindowedResults<K, ?> left, WindowedTable<K, W> other, Joiner<?, ?, ? extends R> joiner) {
    if (!(other instanceof BuiltWindowedTable<K, W> built)) {
      throw TopologyBuilder.foreign(join.operator());
    }
    WindowedResults<K, W> right = built.place().get();
    AlignedWindows windows = equalWindows(left, right);
    Typing results = join.results(joiner);
    String keeps = join.operator() + " keeps";
    BuiltKeyedStream<K, ?> joined =
        StreamJoin.atOnce(
            join, left.rows(keeps), right.rows(keeps), ofRows(join.function(joiner)), results);
    return new BuiltWindowedTable<>(
        Deferred.none(
            new WindowedResults<>(
                joined.topology(),
                joined.node(),
                joined.keySerde(),
                windows,
                left.windowsText(),
                join.operator(),
                results,
                results.shown())));
  }

  private static JoinFunction ofRows(JoinFunction ofValues) {
    return (left, right) -> {
      Object row = left == null ? right : left;
      Object value = ofValues.join(WindowedFunctions.value(left), WindowedFunctions.value(right));
      return row == null || value == null ? null : WindowedFunctions.withValue(row, value);
    };
  }

  /// The windows of both tables, with the larger lateness.
  private AlignedWindows equalWindows(WindowedResults<?, ?> left, WindowedResults<?, ?> right) {
    AlignedWindows windows = left.windows();
    AlignedWindows others = right.windows();
    if (windows == null || others == null) {
      throw new InvalidTopologyException(
          "%s joins what a key has in one window, and is given results of %s and of %s: there each key has windows of its own. Use tumbling, hopping or calendar windows for both tables."
              .formatted(join.operator(), left.windowsText(), right.windowsText()));
    }
    if (!windows.equalTimes(others)) {
      throw new InvalidTopologyException(
          "%s joins what a key has in one window, and is given results of %s and of %s. Use equal windows for both tables."
              .formatted(join.operator(), left.windowsText(), right.windowsText()));
    }
    return windows.latenessMillis() < others.latenessMillis() ? others : windows;
  }
}
