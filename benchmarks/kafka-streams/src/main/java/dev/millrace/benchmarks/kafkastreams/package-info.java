/// Kafka Streams as one engine among others.
@NullMarked
package dev.millrace.benchmarks.kafkastreams;

import org.jspecify.annotations.NullMarked;
