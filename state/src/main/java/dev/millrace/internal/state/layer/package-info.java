/// The encoded entries of a task between its decoded objects and its disk.
///
/// [Layers] is the entry point: it tracks which layer is saved, pending, committed or being written
/// to the disk, and looks keys up in them from the top. A `Layer` finds entries by hash
/// (`ByteTable`) and, for stores with ranges, in order (`SortedIndex`); their bytes lie in an
/// `Arena`. `MergeRange` iterates the sorted entries of all layers as one range. `RestoreBuffer`
/// collects the entries of a bulk restore. Nothing here knows a cache, a store's types or a serde.
@NullMarked
package dev.millrace.internal.state.layer;

import org.jspecify.annotations.NullMarked;
