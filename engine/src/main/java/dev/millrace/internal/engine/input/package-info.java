/// What a task reads: the batches that wait for it, the position up to which it has processed them,
/// and the event time that they told. Read in this order:
///
/// 1. [TaskInput]: one split, or one direct exchange, as one task reads it; [InputClock] is its
///    event time.
/// 2. [TaskInputs]: where the inputs of a task begin.
/// 3. [Fetcher]: which splits a worker reads, and which are paused ([FetchPauses]); [FetchedSplit]
///    is one of them.
/// 4. [DirectInputs]: what comes from other workers through memory.
/// 5. [CombinedInputs]: the watermark of all inputs of a task.
/// 6. [InputOrder], [Alignment], [Idleness], [TableGate]: which input waits for which.
/// 7. [PartitionCheck]: whether records lie in the partition that their keys say.
@NullMarked
package dev.millrace.internal.engine.input;

import org.jspecify.annotations.NullMarked;
