/// What a change of a program costs that has state: Millrace, and beside it what Flink and Kafka
/// Streams do for the same change.
@NullMarked
package dev.millrace.benchmarks.change;

import org.jspecify.annotations.NullMarked;
