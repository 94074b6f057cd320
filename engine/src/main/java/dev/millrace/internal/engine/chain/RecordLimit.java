package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.plan.Plan;

/// How large a record may be where it leaves a task: key, value and headers together.
///
/// @param where it goes
/// @param wayOut how the limit is raised
record RecordLimit(int bytes, String where, String wayOut) {
  /// Of the topic of a sink.
  static RecordLimit of(SinkTopic topic) {
    return new RecordLimit(
        topic.recordBytes(),
        "topic '" + topic.name() + "'",
        "raise %s of the topic with kafka-configs.sh".formatted(SinkTopic.LARGEST));
  }

  /// Of an exchange.
  static RecordLimit of(Plan plan, Plan.Exchange exchange) {
    String name = exchange.node().name();
    return new RecordLimit(
        plan.sizes().ofRecords(name),
        "exchange '" + name + "'",
        "raise exchanges.max-record, or exchanges.max-record-of for '%s' alone, and %s of topic '%s' with it"
            .formatted(name, SinkTopic.LARGEST, exchange.topic()));
  }

  /// @throws SerdeException if a record is too large
  void require(int recordBytes) {
    if (recordBytes > bytes) {
      throw exceeded(Integer.toString(recordBytes));
    }
  }

  /// @param size of the record in bytes, as far as it is known
  SerdeException exceeded(String size) {
    return new SerdeException(
        "The record has %s bytes, but %s accepts at most %d. Make it smaller, or %s."
            .formatted(size, where, bytes, wayOut));
  }
}
