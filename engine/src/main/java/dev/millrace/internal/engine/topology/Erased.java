package dev.millrace.internal.engine.topology;

import dev.millrace.api.Call;
import dev.millrace.api.ProcessorSupplier;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.Source;
import dev.millrace.api.connector.Written;
import dev.millrace.api.function.Action;
import dev.millrace.api.function.Condition;
import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// Takes the types off what the application hands over. The typed front is the proof that the
/// functions fit the values that reach them, so every unchecked cast of the topology is here and
/// nowhere else.
@SuppressWarnings("unchecked")
final class Erased {
  private Erased() {}

  static Call<Object, Object> call(Call<?, ?> call) {
    return (Call<Object, Object>) call;
  }

  static Mapper<Object, Object> mapper(Mapper<?, ?> mapper) {
    return (Mapper<Object, Object>) mapper;
  }

  static Mapper<Object, Iterable<Object>> toMany(Mapper<?, ?> mapper) {
    return (Mapper<Object, Iterable<Object>>) mapper;
  }

  static Condition<Object> condition(Condition<?> condition) {
    return (Condition<Object>) condition;
  }

  static Action<Object> action(Action<?> action) {
    return (Action<Object>) action;
  }

  static Initial<Object> initial(Initial<?> initial) {
    return (Initial<Object>) initial;
  }

  static Folder<Object, Object> folder(Folder<?, ?> folder) {
    return (Folder<Object, Object>) folder;
  }

  static WindowFunction<Object, Object> windowFunction(WindowFunction<?, ?> function) {
    return (WindowFunction<Object, Object>) function;
  }

  static Reducer<Object> reducer(Reducer<?> reducer) {
    return (Reducer<Object>) reducer;
  }

  static Joiner<@Nullable Object, @Nullable Object, Object> joiner(Joiner<?, ?, ?> joiner) {
    return (Joiner<@Nullable Object, @Nullable Object, Object>) joiner;
  }

  static ProcessorSupplier<Object, Object, Object> supplier(ProcessorSupplier<?, ?, ?> supplier) {
    return (ProcessorSupplier<Object, Object, Object>) supplier;
  }

  static Serde<Object> serde(Serde<?> serde) {
    return (Serde<Object>) serde;
  }

  /// The serde of a type that the front knows.
  static <T> Serde<T> typed(Serde<Object> serde) {
    return (Serde<T>) serde;
  }

  static Source<Object> source(Source<?> source) {
    return (Source<Object>) source;
  }

  static Sink<Object, Object> sink(Sink<?, ?> sink) {
    return (Sink<Object, Object>) sink;
  }

  static Written<Object, Object> written(Written<?, ?> written) {
    return (Written<Object, Object>) written;
  }
}
