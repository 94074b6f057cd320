package dev.millrace.internal.engine.chain;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.topology.Node;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where the rows of a [SendStep] go, and what is said of them there.
///
/// @param partitionWithoutKey for rows without a key; -1 where each has one
/// @param deletion the value that becomes a record without one; null if none does
/// @param sets what is said of headers and timestamps
/// @param limit of each record
record SendTarget(
    Outbox.Stream to,
    int partitionWithoutKey,
    Retractions retractions,
    @Nullable Object deletion,
    Setting sets,
    TimestampRule times,
    RecordLimit limit) {

  /// What becomes of a row that takes back another.
  enum Retractions {
    /// It goes to the next stage.
    EXCHANGED,
    /// Readers get it with its old value.
    WRITTEN,
    /// Readers get what takes its place, or its key without a value if nothing does.
    REPLACED
  }

  /// Returns the topic of a sink.
  ///
  /// @param task its partition in its stage
  static SendTarget sink(
      Outbox.Stream to,
      int task,
      boolean retractions,
      @Nullable Object deletion,
      Setting sets,
      TimestampRule times,
      RecordLimit limit) {
    return new SendTarget(
        to,
        task % to.partitions(),
        retractions ? Retractions.WRITTEN : Retractions.REPLACED,
        deletion,
        sets,
        times,
        limit);
  }

  /// Returns an exchange.
  static SendTarget exchange(Outbox.Stream to, RecordLimit limit) {
    TimestampRule times = TimestampRule.ofExchange();
    return new SendTarget(to, -1, Retractions.EXCHANGED, null, Setting.nothing(), times, limit);
  }

  /// Returns the step to a sink.
  SendStep step(String name, Step.Place place, Node.Output output) {
    Serde<Object> values = output.sink().valueSerde();
    Mapper<Object, Object> newKey = output.newKey();
    Serde<Object> reads = output.keySerde();
    Serde<Object> writes = output.newKeySerde();
    if (newKey != null) {
      Keys made = Keys.made(newKey, Objects.requireNonNull(writes));
      return new SendStep(name, place, this, made, true, values);
    }
    Keys own = reads == null ? Rows::key : Keys.rewritten(reads, Objects.requireNonNull(writes));
    return new SendStep(name, place, this, own, sets.readsValues(), values);
  }

  /// Returns the step to an exchange.
  ///
  /// @param values writes the values
  SendStep step(Step.Place place, Node.Exchange exchange, Serde<Object> values) {
    String name = Measured.name(exchange);
    Mapper<Object, Object> newKey = exchange.key();
    Serde<Object> reads = exchange.reads();
    if (newKey != null) {
      Keys made = Keys.made(newKey, exchange.keySerde());
      return new SendStep(name, place, this, made, true, values);
    }
    Keys own = reads == null ? Rows::key : Keys.rewritten(reads, exchange.keySerde());
    return new SendStep(name, place, this, Keys.required(own), false, values);
  }
}
