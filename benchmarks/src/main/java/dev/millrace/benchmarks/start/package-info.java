/// How long a process takes from its start to its first record.
@NullMarked
package dev.millrace.benchmarks.start;

import org.jspecify.annotations.NullMarked;
