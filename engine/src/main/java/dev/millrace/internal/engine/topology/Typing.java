package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serde;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is known of the values of a stream, or of keys, while the topology is built.
///
/// A serde is asked for only where values leave a task or are kept. One that was given or that the
/// source has comes first: as long as the values are the same, their bytes can be copied. Then come
/// the types that the functions around show.
///
/// @param serde given by the application, or of the source the values are from
/// @param shown the type, as the function that made the values shows it
/// @param values what they are, in messages: `the results of flatMap`
/// @param remedy what to write where no serde is found: a sentence
/// @param inRecords of records, what is known of the values that they have; otherwise null
record Typing(
    @Nullable Serde<Object> serde,
    ShownType shown,
    String values,
    String remedy,
    @Nullable Typing inRecords) {

  Typing(@Nullable Serde<Object> serde, ShownType shown, String values, String remedy) {
    this(serde, shown, values, remedy, null);
  }

  /// Values with a serde.
  static Typing known(Serde<?> serde, String values) {
    return new Typing(Erased.serde(serde), ShownType.unknown("their serde was given"), values, "");
  }

  /// What a function returns.
  ///
  /// @param operator behind which a serde may be said: `flatMap`, `aggregate 'totals'`
  static Typing results(String operator, ShownType shown) {
    return new Typing(
        null,
        shown,
        "the results of " + operator,
        "Say it with .as(serde) right behind %s, or register one for their type with topology.serde(type, serde)."
            .formatted(operator));
  }

  /// Records that have these values.
  Typing ofRecords() {
    return new Typing(
        null,
        ShownType.unknown("a record is valid only until the next operator returns"),
        "the results of records",
        "Turn each record into a value that stays valid, with mapValues or map.",
        this);
  }

  /// What a function makes of each of these values.
  ///
  /// @param operator behind which a serde may be said
  Typing mapped(String operator, Mapper<?, ?> mapper) {
    return inRecords != null && LambdaBody.isReference(mapper, Record.class, "value")
        ? inRecords
        : results(operator, LambdaTypes.result(mapper));
  }

  /// Attributes of values by which an operator compares them.
  ///
  /// @param values what they are, in messages: `attributes`
  static Typing attributes(String values, Mapper<?, ?> attribute) {
    return new Typing(
        null,
        LambdaTypes.result(attribute),
        values,
        "Register one for their type with topology.serde(type, serde); a reference to a method, or"
            + " a class that implements Mapper, shows type arguments, too.");
  }

  /// The same values with a serde.
  Typing with(Serde<?> given) {
    return new Typing(Erased.serde(given), shown, values, remedy);
  }

  /// Of two streams with values of one type: what is known of either.
  Typing or(Typing other) {
    return serde == null && other.serde != null ? other : this;
  }

  /// The serde for the values, if there is one without asking further.
  Optional<Serde<Object>> serdeIfKnown(DefaultSerdes defaults) {
    return Optional.ofNullable(serde != null ? serde : new Found(defaults).of(shown, false));
  }

  /// The serde for values that leave a task or are kept.
  ///
  /// @param asker who needs it, and for what: `groupBy 'by-tag' sends`
  /// @param alsoSeen a type that the asker's own function shows for the same values
  Serde<Object> valueSerde(DefaultSerdes defaults, String asker, ShownType alsoSeen) {
    if (serde != null) {
      return serde;
    }
    Found found = new Found(defaults);
    Serde<Object> result = found.of(shown, false);
    if (result == null) {
      result = found.of(alsoSeen, false);
    }
    if (result == null) {
      throw notFound(asker, found);
    }
    return result;
  }

  /// The serde for keys: equal keys have equal bytes.
  Serde<Object> keySerde(DefaultSerdes defaults, String asker) {
    Found found = new Found(defaults);
    Serde<Object> result = serde != null ? serde : found.of(shown, true);
    if (result == null) {
      throw notFound(asker, found);
    }
    requireCanonical(asker, result, "Give one that does.");
    return result;
  }

  static void requireCanonical(String asker, Serde<?> serde, String remedy) {
    if (!serde.canonical()) {
      throw new InvalidTopologyException(
          "%s keys whose serde '%s' does not promise equal bytes for equal keys. %s"
              .formatted(asker, serde.id(), remedy));
    }
  }

  private InvalidTopologyException notFound(String asker, Found found) {
    return new InvalidTopologyException(
        "%s %s and finds no serde for them: %s. %s"
            .formatted(asker, values, found.reasons(), remedy));
  }

  /// Tries types and remembers what was wrong with them.
  private static final class Found {
    private final DefaultSerdes defaults;
    private String reasons = "";

    Found(DefaultSerdes defaults) {
      this.defaults = defaults;
    }

    @Nullable Serde<Object> of(ShownType shown, boolean key) {
      Type type = shown.type();
      if (type == null) {
        add(shown.reason());
        return null;
      }
      try {
        return defaults.of(type, key);
      } catch (IllegalArgumentException unsuitable) {
        add(String.valueOf(unsuitable.getMessage()));
        return null;
      }
    }

    private void add(String reason) {
      if (!reasons.contains(reason)) {
        reasons += (reasons.isEmpty() ? "" : "; ") + reason;
      }
    }

    String reasons() {
      return reasons;
    }
  }
}
