/// Runs the benchmarks of the module `benchmarks/micro`.
@NullMarked
package dev.millrace.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
