/// Processes that benchmarks are made of: a Kafka, a producer, and JVMs that can be killed.
@NullMarked
package dev.millrace.benchmarks.process;

import org.jspecify.annotations.NullMarked;
