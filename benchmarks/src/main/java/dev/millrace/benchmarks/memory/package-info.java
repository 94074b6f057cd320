/// Whether a process stays within the memory it was given.
@NullMarked
package dev.millrace.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
