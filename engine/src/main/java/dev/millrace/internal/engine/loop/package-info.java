/// The map of the machine. Read in this order:
///
/// 1. [Worker]: one thread's work, a step at a time; the only place that decides what is done next.
///    [Assignment] is what it gets, [WorkerContext] what its tasks share.
/// 2. [WorkerTasks]: its tasks: how they are opened, restored, begun and closed.
/// 3. [InputSchedule]: the inputs of its tasks, which take turns; [AlignedInputs] are those of them
///    that wait for others, [Admission] says which tasks may go on, [IdleWait] how long the worker
///    waits if none may.
/// 4. [Task]: the topology's part over one partition: records in, operators, commit record out.
///    [SliceProcessor] sends the records through, [TaskAdvance] moves operators on without records.
/// 5. [Barrier] and [CommitCollector]: the worker's part of a commit; [CommitRequests] asks for
///    one.
/// 6. [Measurements]: what is looked at now and then.
///
/// The rooms beside it: [dev.millrace.internal.engine.input] is what a task reads,
/// [dev.millrace.internal.engine.chain] its operators, a batch at a time,
/// [dev.millrace.internal.engine.context] what they reach, [dev.millrace.internal.engine.output]
/// what leaves them, [dev.millrace.internal.state] its stores,
/// [dev.millrace.internal.engine.recovery] how they get their state back,
/// [dev.millrace.internal.engine.failure] what is left out when user code fails,
/// [dev.millrace.internal.engine.commit] the commit itself. None of them knows this package.
///
/// Nothing here touches the wall clock, a socket, a file or a new thread: they are handed in. So
/// the tests of this package run whole jobs in virtual time: they are in `proof`, in the packages
/// `testkit.sim`, `testkit.job` and `testkit.hotpath`.
@NullMarked
package dev.millrace.internal.engine.loop;

import org.jspecify.annotations.NullMarked;
