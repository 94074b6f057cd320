/// What happens to a batch inside a task, in reading order: [Rows] is the batch, [Step] one
/// operator applied to it, or a [Run] of them; [Chains] makes the steps of a task, [Outbox] takes
/// what leaves it.
@NullMarked
package dev.millrace.internal.engine.chain;

import org.jspecify.annotations.NullMarked;
