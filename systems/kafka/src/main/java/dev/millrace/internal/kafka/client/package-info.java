/// Shared parts of reading and writing: settings of Kafka's clients, calls of its admin client,
/// topics, and descriptions of failures.
@NullMarked
package dev.millrace.internal.kafka.client;

import org.jspecify.annotations.NullMarked;
