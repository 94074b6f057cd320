/// What leaves the tasks of a worker besides their states: results, changes for the changelog,
/// event time. Read in this order:
///
/// 1. [dev.millrace.internal.engine.chain.Outbox]: collects it in batches.
/// 2. [OutputFlush]: hands full batches to the commit group before the commit.
/// 3. [DirectFlush]: passes on what goes to other workers through memory.
/// 4. [Announcements]: tells the stages after this one how far event time has come.
/// 5. [CommitParts]: a worker's part of a commit.
@NullMarked
package dev.millrace.internal.engine.output;

import org.jspecify.annotations.NullMarked;
