package dev.millrace.internal.engine.topology;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What is known of a table besides its changes, where each row that it is made of says what its
/// key has from the row's time on: all its values, at their times, whatever order they come in.
/// Changes do not tell that: they follow the order in which rows are processed, and leave some out.
///
/// @param rows that the table is made of, one a version; those of a topic may have no value
/// @param view what the table has for a row's value
public record History(Node rows, View view) {

  /// Gives a table's value.
  @FunctionalInterface
  public interface View {
    /// @return null if the table has nothing for this value
    @Nullable Object of(Object value);
  }

  /// Rows whose values are those of the table.
  static History of(Node rows) {
    return new History(rows, value -> value);
  }

  /// A value that does not pass hides the ones before it all the same.
  History filter(Predicate<Object> predicate) {
    return then(value -> predicate.test(value) ? value : null);
  }

  History mapValues(Mapper<Object, Object> mapper) {
    return then(mapper::map);
  }

  private History then(View next) {
    View before = view;
    return new History(
        rows,
        value -> {
          Object seen = before.of(value);
          return seen == null ? null : next.of(seen);
        });
  }
}
