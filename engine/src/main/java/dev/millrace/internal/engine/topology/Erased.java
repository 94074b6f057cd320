package dev.millrace.internal.engine.topology;

import dev.millrace.api.Call;
import dev.millrace.api.Processor;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.Source;
import dev.millrace.api.connector.Written;
import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
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

  static Predicate<Object> predicate(Predicate<?> predicate) {
    return (Predicate<Object>) predicate;
  }

  static Consumer<Object> consumer(Consumer<?> consumer) {
    return (Consumer<Object>) consumer;
  }

  static Initializer<Object> initializer(Initializer<?> initializer) {
    return (Initializer<Object>) initializer;
  }

  static Aggregator<Object, Object> aggregator(Aggregator<?, ?> aggregator) {
    return (Aggregator<Object, Object>) aggregator;
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

  static Initializer<Processor<Object, Object, Object>> processors(Initializer<?> processors) {
    return (Initializer<Processor<Object, Object, Object>>) processors;
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
