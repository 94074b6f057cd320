/// Disks that keep everything in memory outside the heap: as fast as memory is, no work for the
/// collector, and empty after each start, so that the state is restored from the changelog.
///
/// To read: [dev.millrace.internal.state.memory.MemoryDisks], `MemoryDisk`, `Leaves`, `Entries`,
/// `OffHeap`.
@NullMarked
package dev.millrace.internal.state.memory;

import org.jspecify.annotations.NullMarked;
