/// Beam's own Nexmark queries on Millrace's runner.
@NullMarked
package dev.millrace.benchmarks.beam;

import org.jspecify.annotations.NullMarked;
