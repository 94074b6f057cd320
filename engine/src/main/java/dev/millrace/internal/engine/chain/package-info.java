/// What happens to a batch inside a task, in reading order: [Rows] is the batch, [Step] one
/// operator applied to it, or a [Run] of them; a [Chain] has those of a task, [Chains] makes them,
/// and [Outbox] takes what leaves. Where no records come, [TimedOperators] go on with event time,
/// the clock and answers of other systems; [ChainFailure] knows what has failed.
@NullMarked
package dev.millrace.internal.engine.chain;

import org.jspecify.annotations.NullMarked;
