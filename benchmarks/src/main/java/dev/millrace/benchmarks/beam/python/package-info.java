/// Counts words by a pipeline of Beam's Python SDK on the job servers of Millrace and of Flink.
///
/// [dev.millrace.benchmarks.beam.python.PythonBenchmark] starts one server after the other and runs
/// the same program on each; functions run in the program's own process. Expected counts come from
/// whoever makes the text.
@NullMarked
package dev.millrace.benchmarks.beam.python;

import org.jspecify.annotations.NullMarked;
