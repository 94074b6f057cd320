package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.serde.Serde;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A part of a topology that is added just before the next one. Until then the application may say
/// the serde it needs: `aggregate(…).as(serde)`, `groupBy(…).keyAs(serde)`.
///
/// @param <T> what the part is known by once it is added
final class Deferred<T> {
  private final @Nullable Function<@Nullable Serde<Object>, T> adding;
  private @Nullable Serde<Object> given;
  private @Nullable T added;

  private Deferred(@Nullable Function<@Nullable Serde<Object>, T> adding, @Nullable T added) {
    this.adding = adding;
    this.added = added;
  }

  /// A part that needs no serde, and is there already.
  static <T> Deferred<T> none(T added) {
    return new Deferred<>(null, added);
  }

  /// See [TopologyBuilder#defer].
  ///
  /// @param adding adds it, with the serde that was given; null if none was
  static <T> Deferred<T> of(Function<@Nullable Serde<Object>, T> adding) {
    return new Deferred<>(adding, null);
  }

  /// Returns the part, and adds it if it is not there yet.
  T get() {
    T result = added;
    if (result == null) {
      if (adding == null) {
        throw new AssertionError("neither added nor to be added");
      }
      result = adding.apply(given);
      added = result;
    }
    return result;
  }

  /// Whether a serde can decide how it is added, or could.
  boolean needsSerde() {
    return adding != null;
  }

  /// Says the serde.
  ///
  /// @param method of the API, in messages
  void give(Serde<?> serde, String method) {
    if (added != null) {
      throw new InvalidTopologyException(
          "%s(serde) with serde '%s' comes too late: say it right behind the operator, before anything else is added to the topology."
              .formatted(method, serde.id()));
    }
    given = Erased.serde(serde);
  }
}
