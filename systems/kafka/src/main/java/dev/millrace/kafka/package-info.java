/// Kafka as the log of Millrace, by the official clients.
///
/// Start reading at [dev.millrace.kafka.KafkaLog]. It checks its settings by `KafkaProperties` and
/// the address by `Bootstrap`, asks the cluster through `KafkaTopics` and `KafkaTransactions`, and
/// gives out readers and writers. A `KafkaReader` owns a consumer; what its `Landing` receives of
/// it becomes batches, after `PositionCheck` has found each position in the log. A `KafkaWriter`
/// hands what its owner asks for to a thread that owns a `TransactionalProducer`.
@NullMarked
package dev.millrace.kafka;

import org.jspecify.annotations.NullMarked;
