/// What the transforms of a pipeline are as operators of a task: `ParDoOperator`, `GroupOperator`
/// and `ReadOperator` first.
@NullMarked
package dev.millrace.internal.beam.operators;

import org.jspecify.annotations.NullMarked;
