/// How long workers stand still at commits, and behind commits that were aborted.
@NullMarked
package dev.millrace.benchmarks.pauses;

import org.jspecify.annotations.NullMarked;
