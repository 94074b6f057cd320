/// Writes to Kafka in transactions: [dev.millrace.internal.kafka.write.KafkaWriter] passes the
/// calls of its owner to a thread that drives a producer, either Millrace's own (`DirectProducer`)
/// or Kafka's (`TransactionalProducer`).
@NullMarked
package dev.millrace.internal.kafka.write;

import org.jspecify.annotations.NullMarked;
