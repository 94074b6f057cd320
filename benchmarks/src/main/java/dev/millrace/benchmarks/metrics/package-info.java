/// What metrics cost.
@NullMarked
package dev.millrace.benchmarks.metrics;

import org.jspecify.annotations.NullMarked;
