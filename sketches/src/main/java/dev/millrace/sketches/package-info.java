/// Aggregates that take little room however many values go into them, at the price of a small and
/// known error. [dev.millrace.sketches.Sketches] is the door.
@NullMarked
package dev.millrace.sketches;

import org.jspecify.annotations.NullMarked;
