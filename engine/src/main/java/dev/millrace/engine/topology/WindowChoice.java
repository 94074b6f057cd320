package dev.millrace.engine.topology;

import dev.millrace.api.WindowFunction;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Aggregation;
import dev.millrace.engine.operators.AlignedWindows;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.FixedWindows;
import dev.millrace.engine.operators.SessionOfRowsOperator;
import dev.millrace.engine.operators.SessionOperator;
import dev.millrace.engine.operators.SlicedWindowOperator;
import dev.millrace.engine.operators.WindowOperator;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds the operator for what is computed in windows.
///
/// @param keys of the rows
/// @param correctedMillis for how long rows may be taken back; windows are kept for at least as
///   long
record WindowChoice(Windows windows, Serde<Object> keys, long correctedMillis) {

  /// The windows, if they are the same for all keys.
  @Nullable AlignedWindows aligned() {
    return windows instanceof Windows.Session
        ? null
        : AlignedWindows.of(windows).allowedLateness(correctedMillis);
  }

  private long latenessMillis() {
    return Math.max(windows.timing().lateness().toMillis(), correctedMillis);
  }

  /// For an aggregation.
  ///
  /// @param values gives the serde of the rows, where all of them are kept
  Declaration of(Computation computation, Supplier<Serde<Object>> values) {
    Aggregation aggregation = computation.aggregation();
    String name = computation.name();
    Serde<Object> aggregates = computation.valueSerde();
    AlignedWindows aligned = aligned();
    if (windows instanceof Windows.Session(var gap, _)) {
      return correctedMillis == 0 && aggregation.merges()
          ? SessionOperator.declare(
              name, gap.toMillis(), latenessMillis(), aggregation, keys, aggregates)
          : ofAll(name, computation.ofAll(), values.get(), () -> aggregates);
    }
    if (aligned == null || (correctedMillis > 0 && !aggregation.removes())) {
      return ofAll(name, computation.ofAll(), values.get(), () -> aggregates);
    }
    boolean sliced = aggregation.merges() && !windows.timing().isEarly();
    if (aligned instanceof FixedWindows fixed && fixed.overlap() && sliced) {
      return SlicedWindowOperator.declare(name, fixed, aggregation, keys, aggregates);
    }
    return WindowOperator.folding(name, aligned, windows.timing(), aggregation, keys, aggregates);
  }

  /// For a function of all values.
  ///
  /// @param values of the rows
  /// @param results gives the serde of the results, where they come early
  Declaration ofAll(
      String name,
      WindowFunction<Object, Object> function,
      Serde<Object> values,
      Supplier<Serde<Object>> results) {
    AlignedWindows aligned = aligned();
    if (windows instanceof Windows.Session(var gap, _)) {
      return SessionOfRowsOperator.declare(
          name, gap.toMillis(), latenessMillis(), function, keys, values);
    }
    if (aligned == null) {
      throw new AssertionError(windows);
    }
    return WindowOperator.retaining(
        name, aligned, windows.timing(), function, keys, values, results);
  }

  /// The windows in the plan's text.
  String text() {
    return switch (windows) {
      case Windows.Tumbling tumbling -> "tumbling windows of " + text(tumbling.size());
      case Windows.Hopping hopping ->
          "windows of %s every %s".formatted(text(hopping.size()), text(hopping.every()));
      case Windows.Session session -> "sessions with gaps of " + text(session.gap());
      case Windows.Calendar calendar ->
          "windows of a %s in %s"
              .formatted(calendar.unit().name().toLowerCase(Locale.ROOT), calendar.zone());
    };
  }

  private static String text(Duration duration) {
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
