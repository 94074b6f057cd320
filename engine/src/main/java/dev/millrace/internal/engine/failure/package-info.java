/// What is left out when user code fails at it, and how a failure is attributed: to a record, to a
/// result that was due, or to nothing that can be named. Read in this order:
///
/// 1. [Failures]: what is made of what a task throws; [FailedWork] is what the task was doing.
/// 2. [CurrentRecords]: the records that it was processing.
/// 3. [BadRecords] and [BadResults]: what is passed over from then on, across roll-backs.
/// 4. [PieceUndo]: takes back a piece of work in which something was bad; [PieceLength] says how
///    large pieces are.
/// 5. [DeadLetters], [BadCounts], [BadInputLog]: how users learn of it.
@NullMarked
package dev.millrace.internal.engine.failure;

import org.jspecify.annotations.NullMarked;
