/// Flink in the benchmark of changes.
@NullMarked
package dev.millrace.benchmarks.flink.change;

import org.jspecify.annotations.NullMarked;
