/// What every engine of the benchmark of changes has in common: the bytes of its input and of its
/// output, what it is told to run, and what it tells. It needs nothing but the JDK, for engines
/// that run on class paths of their own.
@NullMarked
package dev.millrace.benchmarks.change.peer;

import org.jspecify.annotations.NullMarked;
