/// Nexmark: the queries of [dev.millrace.benchmarks.nexmark.query] by Millrace and by Flink, each
/// in a process of its own, with what they answer checked.
@NullMarked
package dev.millrace.benchmarks.nexmark;

import org.jspecify.annotations.NullMarked;
