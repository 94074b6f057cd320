/// The programs of the benchmark of changes, each of which changes one thing of the one before.
@NullMarked
package dev.millrace.benchmarks.change.app;

import org.jspecify.annotations.NullMarked;
