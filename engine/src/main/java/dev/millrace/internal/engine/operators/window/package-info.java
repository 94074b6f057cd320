/// Operators that aggregate rows by window: aligned, sliced, sliding and session windows, windows
/// of a number of rows, and the ranking of their results.
@NullMarked
package dev.millrace.internal.engine.operators.window;

import org.jspecify.annotations.NullMarked;
