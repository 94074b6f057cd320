/// What is measured: counters and gauges of tasks and workers, latencies, and what threads are busy
/// with. Written by the thread that is measured, read by any.
@NullMarked
package dev.millrace.internal.engine.metrics;

import org.jspecify.annotations.NullMarked;
