/// Reading from Kafka: [dev.millrace.internal.kafka.read.KafkaReader] hands out batches of its
/// splits, which a fetcher reads by requests of its own (`DirectFetcher`) or by Kafka's consumer
/// (`OfficialFetcher`). `SplitChecks` looks whether the splits are what they were, and
/// `ReadFailures` finds those that cannot be read any more.
@NullMarked
package dev.millrace.internal.kafka.read;

import org.jspecify.annotations.NullMarked;
