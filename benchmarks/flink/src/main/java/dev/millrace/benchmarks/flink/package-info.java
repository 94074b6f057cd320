/// Flink as one engine among others.
@NullMarked
package dev.millrace.benchmarks.flink;

import org.jspecify.annotations.NullMarked;
