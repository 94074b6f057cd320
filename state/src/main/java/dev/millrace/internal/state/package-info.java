/// The stores of a task: what a commit sees of them, and how little of it costs anything.
///
/// [TaskState] is the door, and [CachedStore] is what an operator holds. Three packages lie on top
/// of each other, and none knows one above it:
///
/// - this one knows stores, their serdes, limits and the steps of a commit. Read on in this order:
///   [CachedStore]; `StoreKeys`, `ValueEncoder` and `EntryDecoder`, between objects and bytes;
///   `EntryLoader`, which fills the cache; `CommitEncoder`, which empties it into the layers at a
///   commit; `RangeReader`, which reads in the order of keys; `StateRestore`, which takes in the
///   changelog; `ExpirySweep`, which deletes what has expired; [MigrationSweep], which rewrites
///   what earlier versions wrote. `StoreContext` is what the stores of a task share;
/// - [dev.millrace.internal.state.cache] keeps decoded objects and knows which of them are live;
/// - [dev.millrace.internal.state.layer] keeps encoded entries, pending and committed, and looks
///   into all layers down to the [dev.millrace.spi.Disk].
///
/// Everything belongs to one task and its thread.
@NullMarked
package dev.millrace.internal.state;

import org.jspecify.annotations.NullMarked;
