/// Samza as one engine among others.
@NullMarked
package dev.millrace.benchmarks.samza;

import org.jspecify.annotations.NullMarked;
