package dev.millrace.internal.engine.operators.outside;

import dev.millrace.api.Call;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
import dev.millrace.internal.engine.operators.rows.WaitingRow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What reads a table of another system for each row, and what writes one: calls, see
/// [CallOperator].
public final class RemoteTableOperators {
  private RemoteTableOperators() {}

  /// Gives the key to look up for a row.
  @FunctionalInterface
  public interface KeyOfRow {
    /// @param key the row's own, null if it has none
    /// @return null if there is none to look up
    @Nullable Object of(@Nullable Bytes key, Object value);
  }

  /// Joins each row with what the table has for a key: a result under the row's key and at its
  /// time, in the order that the call keeps.
  ///
  /// @param values of the rows
  /// @param joiner gets the row's value and the table's, or null if it has none; a row for which it
  ///   returns null has no result
  public static Declaration read(
      String operator,
      String name,
      Call<Object, Object> get,
      Serde<Object> values,
      KeyOfRow keyOf,
      JoinFunction joiner) {
    return CallOperator.declare(operator, name, get, values, new Reading(keyOf, joiner));
  }

  /// Writes a value of each row under the row's key, and emits the row when that is done. What is
  /// taken back is deleted, and not emitted.
  ///
  /// @param keys of the rows
  /// @param values of the rows
  /// @param valueOf gives what is written; null deletes the key
  public static Declaration write(
      String operator,
      String name,
      Call<Object, Object> put,
      Serde<Object> keys,
      Serde<Object> values,
      Mapper<Object, ? extends @Nullable Object> valueOf) {
    return CallOperator.declare(operator, name, put.oneByOne(), values, new Writing(keys, valueOf));
  }

  private record Reading(KeyOfRow keyOf, JoinFunction joiner) implements Asking {
    @Override
    public @Nullable Object question(long number, WaitingRow row) {
      return keyOf.of(row.key(), Objects.requireNonNull(row.value()));
    }

    @Override
    public @Nullable Object result(WaitingRow row, @Nullable Object answer) {
      return joiner.join(row.value(), answer);
    }

    @Override
    public String kind() {
      return "remote join";
    }
  }

  private record Writing(Serde<Object> keys, Mapper<Object, ? extends @Nullable Object> valueOf)
      implements Asking {
    @Override
    public Object question(long number, WaitingRow row) {
      Bytes key = row.key();
      if (key == null) {
        throw new IllegalArgumentException(
            "The record has no key under which it could be written. Filter it out before.");
      }
      Object value = row.retraction() ? null : valueOf.map(Objects.requireNonNull(row.value()));
      return new RemoteTable.Write<>(Opened.object(keys, key), value, number);
    }

    @Override
    public @Nullable Object result(WaitingRow row, @Nullable Object answer) {
      return row.retraction() ? null : row.value();
    }

    @Override
    public boolean change() {
      return true;
    }

    @Override
    public String kind() {
      return "remote write";
    }
  }
}
