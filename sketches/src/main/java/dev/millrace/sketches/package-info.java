/// Aggregates of bounded size, however many values they take, with a small and known error; see
/// [dev.millrace.sketches.Sketches].
@NullMarked
package dev.millrace.sketches;

import org.jspecify.annotations.NullMarked;
