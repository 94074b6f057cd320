/// Runs a query of Beam's Nexmark in a process of its own, on the runner that is on the class path.
@NullMarked
package dev.millrace.benchmarks.beam.peer;

import org.jspecify.annotations.NullMarked;
