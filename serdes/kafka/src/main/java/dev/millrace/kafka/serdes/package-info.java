/// Serdes that use serializers and deserializers for Kafka's clients; see
/// [dev.millrace.kafka.serdes.KafkaSerdes].
@NullMarked
package dev.millrace.kafka.serdes;

import org.jspecify.annotations.NullMarked;
