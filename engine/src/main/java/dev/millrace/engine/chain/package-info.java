/// What happens to a batch inside a task, in reading order: [Rows] is the batch, [Step] one
/// operator applied to it, [ChainCompiler] makes the steps of a stage, [Outbox] takes what leaves
/// the task.
@NullMarked
package dev.millrace.engine.chain;

import org.jspecify.annotations.NullMarked;
