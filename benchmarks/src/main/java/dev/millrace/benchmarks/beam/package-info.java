/// The queries of Beam's Nexmark on Millrace's runner and on Flink's.
@NullMarked
package dev.millrace.benchmarks.beam;

import org.jspecify.annotations.NullMarked;
