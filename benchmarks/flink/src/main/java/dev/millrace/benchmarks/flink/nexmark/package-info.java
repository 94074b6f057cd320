/// Flink's SQL in Nexmark.
@NullMarked
package dev.millrace.benchmarks.flink.nexmark;

import org.jspecify.annotations.NullMarked;
