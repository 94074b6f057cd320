/// What it costs to have many tasks.
@NullMarked
package dev.millrace.benchmarks.tasks;

import org.jspecify.annotations.NullMarked;
