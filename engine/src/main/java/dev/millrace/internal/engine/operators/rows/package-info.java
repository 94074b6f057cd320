/// How operators keep rows: their formats in stores, timers, panes, rankings and the rows of a key
/// in the order of their times.
@NullMarked
package dev.millrace.internal.engine.operators.rows;

import org.jspecify.annotations.NullMarked;
