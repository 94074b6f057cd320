/// What reading and writing share: settings of Kafka's clients, calls of its admin client, topics,
/// and failures in words.
@NullMarked
package dev.millrace.internal.kafka.client;

import org.jspecify.annotations.NullMarked;
