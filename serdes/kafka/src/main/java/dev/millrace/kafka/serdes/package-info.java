/// Serializers and deserializers made for Kafka's clients, used as serdes.
/// [dev.millrace.kafka.serdes.KafkaSerdes] is the only door.
@NullMarked
package dev.millrace.kafka.serdes;

import org.jspecify.annotations.NullMarked;
