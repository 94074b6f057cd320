/// How tasks get their states back after a crash or a roll-back, and what is done before for that
/// to be fast. Read in this order:
///
/// 1. [DurableState]: the state of a task, its last commit, and how far changelog and disk hold it.
/// 2. [StateOpening]: opens states on their disks, or on snapshots of lost ones; [DiskCheck] says
///    whether a task may go on from what it finds.
/// 3. [Restore]: the replay of what the changelog holds beyond the disks.
/// 4. [Flusher]: brings disks up to date in the background; [RecoveryPace] says when they have to
///    be, [SpaceWait] what is done while they are full.
/// 5. [Snapshots]: copies of disks in a blob store.
@NullMarked
package dev.millrace.internal.engine.recovery;

import org.jspecify.annotations.NullMarked;
