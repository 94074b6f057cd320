/// The map of the machine. Read in this order:
///
/// 1. [Worker]: one thread's work, a step at a time; the only place that decides what is done next.
/// 2. [TaskInput]: what a task reads of one split: its inbox, its position, its event time.
/// 3. [Task]: the topology's part over one partition: records in, operators, commit record out.
///    [Processing] sends the records through; [Undoing] takes back a piece in which one was bad.
/// 4. [dev.millrace.internal.engine.chain.Chain]: the operators, a batch at a time.
/// 5. [dev.millrace.internal.state.TaskState]: the stores and their layers.
/// 6. [dev.millrace.internal.engine.chain.Outbox]: what leaves with the next commit.
/// 7. [dev.millrace.internal.engine.commit.CommitGroup]: the commit itself.
///
/// Nothing here touches the wall clock, a socket, a file or a new thread: they are handed in.
@NullMarked
package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.failure.Undoing;
import dev.millrace.internal.engine.input.TaskInput;
import org.jspecify.annotations.NullMarked;
