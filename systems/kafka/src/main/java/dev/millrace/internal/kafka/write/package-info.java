/// Writing to Kafka in transactions: [dev.millrace.internal.kafka.write.KafkaWriter] hands what its
/// owner asks for to a thread that drives a producer: by requests of its own (`DirectProducer`) or
/// Kafka's (`TransactionalProducer`).
@NullMarked
package dev.millrace.internal.kafka.write;

import org.jspecify.annotations.NullMarked;
