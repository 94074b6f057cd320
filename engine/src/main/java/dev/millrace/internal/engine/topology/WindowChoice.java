package dev.millrace.internal.engine.topology;

import dev.millrace.api.WindowFunction;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Combiner;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.FixedWindows;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.SizedWindows;
import dev.millrace.internal.engine.operators.WindowSet;
import dev.millrace.internal.engine.operators.window.RecordWindowOperator;
import dev.millrace.internal.engine.operators.window.SessionOfRowsOperator;
import dev.millrace.internal.engine.operators.window.SessionOperator;
import dev.millrace.internal.engine.operators.window.SlicedWindowOperator;
import dev.millrace.internal.engine.operators.window.SlidingWindowOperator;
import dev.millrace.internal.engine.operators.window.WindowOperator;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
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
    return switch (windows) {
      case Windows.Tumbling _, Windows.Hopping _, Windows.Calendar _ ->
          AlignedWindows.of(windows, latenessMillis());
      case Windows.Session _, Windows.Sliding _, Windows.Sized<?> _ -> null;
      case Windows.Counted _, Windows.All _ -> null;
    };
  }

  /// The windows, if they end at a time that does not depend on other records.
  private @Nullable WindowSet set() {
    return windows instanceof Windows.Sized<?> sized
        ? new SizedWindows(Erased.mapper(sized.size()), latenessMillis())
        : aligned();
  }

  /// For how long windows are kept behind their ends.
  private long latenessMillis() {
    return windows.timing().onlyFinal() ? 0 : waitsMillis();
  }

  private long waitsMillis() {
    return Math.max(windows.timing().lateness().toMillis(), correctedMillis);
  }

  /// Has results wait, if they are to be final, and says which windows these are.
  private Declaration timed(Declaration declared) {
    Declaration told = declared.with(parameters());
    return windows.timing().onlyFinal() ? told.delayed(waitsMillis()) : told;
  }

  /// What gives the panes that are kept their meaning. When an early result comes does not.
  private Parameters parameters() {
    return shape()
        .withMillis("lateness", waitsMillis())
        .with("only final", windows.timing().onlyFinal())
        .with("early", windows.timing().isEarly());
  }

  private Parameters shape() {
    return switch (windows) {
      case Windows.Tumbling(var size, _) -> shape("tumbling").with("size", size);
      case Windows.Hopping(var size, var every, _) ->
          shape("hopping").with("size", size).with("every", every);
      case Windows.Calendar(var unit, var zone, _) ->
          shape("calendar").with("unit", unit.name()).with("zone", zone.getId());
      case Windows.Session(var gap, _) -> shape("sessions").with("gap", gap);
      case Windows.Sliding(var size, _) -> shape("sliding").with("size", size);
      case Windows.Sized<?>(var size, _) ->
          shape("sized by record").withCode("size", FunctionCode.of(size));
      case Windows.Counted(var records, _) -> shape("number of records").with("records", records);
      case Windows.All _ -> shape("all records");
    };
  }

  private static Parameters shape(String windows) {
    return Parameters.NONE.with("windows", windows);
  }

  /// For an aggregation.
  ///
  /// @param values gives the serde of the rows, where all of them are kept
  Declaration of(Computation computation, Supplier<Serde<Object>> values) {
    return timed(folding(computation, values)).with(computation.parameters());
  }

  private Declaration folding(Computation computation, Supplier<Serde<Object>> values) {
    Aggregation aggregation = computation.aggregation();
    String name = computation.name();
    Serde<Object> results = computation.valueSerde();
    WindowSet set = set();
    if (windows instanceof Windows.Session(var gap, _)
        && correctedMillis == 0
        && aggregation.merges()) {
      return SessionOperator.declare(
          name, gap.toMillis(), latenessMillis(), aggregation, keys, results);
    }
    if (windows instanceof Windows.Counted || windows instanceof Windows.All) {
      return RecordWindowOperator.folding(name, windows, aggregation, keys, results);
    }
    if (windows instanceof Windows.Sliding(var size, _)
        && aggregation.merges()
        && (correctedMillis == 0 || aggregation.removes())) {
      return SlidingWindowOperator.folding(
          name,
          size.toMillis(),
          latenessMillis(),
          new SlidingWindowOperator.Folded(
              computation.ofAll(), aggregation, correctedMillis > 0, results),
          keys,
          values.get());
    }
    if (set == null || (correctedMillis > 0 && !aggregation.removes())) {
      return retaining(name, computation.ofAll(), values.get(), () -> results);
    }
    if (correctedMillis > 0) {
      return folding(name, set, aggregation.ofChangingRows(), results);
    }
    Declaration declared = folding(name, set, aggregation, results);
    if (set instanceof AlignedWindows aligned && joined(aggregation)) {
      Declaration ofPartials = folding(name, set, aggregation.ofPartials(), results);
      return declared.combined(Combiner.inWindows(aggregation, aligned, results, ofPartials));
    }
    return declared;
  }

  private Declaration folding(
      String name, WindowSet set, Aggregation aggregation, Serde<Object> results) {
    return set instanceof FixedWindows fixed && fixed.overlap() && joined(aggregation)
        ? SlicedWindowOperator.declare(name, fixed, aggregation, keys, results)
        : WindowOperator.folding(name, set, windows.timing(), aggregation, keys, results);
  }

  /// Whether a result may be joined from those of parts of the rows.
  private boolean joined(Aggregation aggregation) {
    return aggregation.merges() && !windows.timing().isEarly();
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
    return timed(retaining(name, function, values, results));
  }

  private Declaration retaining(
      String name,
      WindowFunction<Object, Object> function,
      Serde<Object> values,
      Supplier<Serde<Object>> results) {
    return switch (windows) {
      case Windows.Session(var gap, _) ->
          SessionOfRowsOperator.declare(
              name, gap.toMillis(), latenessMillis(), function, keys, values);
      case Windows.Sliding(var size, _) ->
          SlidingWindowOperator.declare(
              name, size.toMillis(), latenessMillis(), function, keys, values);
      case Windows.Counted _, Windows.All _ ->
          RecordWindowOperator.retaining(name, windows, function, keys, values, results.get());
      case Windows.Tumbling _, Windows.Hopping _, Windows.Calendar _, Windows.Sized<?> _ ->
          WindowOperator.retaining(
              name,
              Objects.requireNonNull(set()),
              correctedMillis > 0,
              windows.timing(),
              function,
              keys,
              values,
              results);
    };
  }

  /// The windows in the plan's text.
  String text() {
    return switch (windows) {
      case Windows.Tumbling tumbling -> "tumbling windows of " + text(tumbling.size());
      case Windows.Hopping hopping ->
          "windows of %s every %s".formatted(text(hopping.size()), text(hopping.every()));
      case Windows.Session session -> "sessions with gaps of " + text(session.gap());
      case Windows.Sliding sliding -> "sliding windows of " + text(sliding.size());
      case Windows.Sized<?> _ -> "windows of a size that each record tells";
      case Windows.Counted counted -> "windows of " + counted.records() + " records";
      case Windows.All _ -> "one window";
      case Windows.Calendar calendar ->
          "windows of a %s in %s"
              .formatted(calendar.unit().name().toLowerCase(Locale.ROOT), calendar.zone());
    };
  }

  private static String text(Duration duration) {
    return Parameters.text(duration);
  }
}
