package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Serde;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What an operator or an exchange was told that gives what it keeps and sends its meaning, in the
/// order in which it is said: with other values, the same bytes would mean something else. How fast
/// it works is not among them, nor what becomes of results.
///
/// @param all with a name each
public record Parameters(List<Parameter> all) {
  public static final Parameters NONE = new Parameters(List.of());

  /// @param value in words, the same for the same meaning
  /// @param acceptable whether state may be gone on with under another value, where a person says
  ///   so
  public record Parameter(String name, String value, boolean acceptable) {}

  public Parameters {
    all = List.copyOf(all);
  }

  /// Those of an operator.
  ///
  /// @param operator what it is; of another one the state means something else
  public static Parameters of(String operator) {
    return NONE.with("kind", operator);
  }

  public Parameters with(String name, String value) {
    return with(new Parameter(name, value, false));
  }

  public Parameters with(String name, long number) {
    return with(name, Long.toString(number));
  }

  public Parameters with(String name, boolean holds) {
    return with(name, holds ? "yes" : "no");
  }

  public Parameters with(String name, Duration duration) {
    return with(name, text(duration));
  }

  /// @param millis from [Declaration#FOREVER] on it is for ever
  public Parameters withMillis(String name, long millis) {
    return millis >= Declaration.FOREVER
        ? with(name, "for ever")
        : with(name, Duration.ofMillis(millis));
  }

  /// @param serde of what is kept or sent
  public Parameters with(String name, Serde<?> serde) {
    Parameters named = with("serde of " + name, serde.id());
    return serde.schema().equals(serde.id())
        ? named
        : named.with("schema of " + name, serde.schema());
  }

  /// A function, of which another code may mean the same.
  ///
  /// @param gives what it gives
  /// @param code stands for its instructions
  public Parameters withCode(String gives, String code) {
    return withAcceptable("code of the " + gives + " function", code);
  }

  /// One under another value of which state may be gone on with, where a person says so.
  public Parameters withAcceptable(String name, String value) {
    return with(new Parameter(name, value, true));
  }

  /// Returns the same parameters with another value of one of them, if they have it.
  public Parameters replacing(String name, String value) {
    return new Parameters(
        all.stream()
            .map(
                each -> each.name.equals(name) ? new Parameter(name, value, each.acceptable) : each)
            .toList());
  }

  /// These, and others behind them.
  public Parameters and(Parameters more) {
    List<Parameter> both = new ArrayList<>(all);
    both.addAll(more.all);
    return new Parameters(both);
  }

  private Parameters with(Parameter parameter) {
    return and(new Parameters(List.of(parameter)));
  }

  /// A duration in words: `1m30s`.
  public static String text(Duration duration) {
    return duration.toString().replace("PT", "").toLowerCase(Locale.ROOT);
  }
}
