/// The encoded entries of a task between its decoded objects and its disk.
///
/// [Layers] is the door: it knows which layer is saved, pending, committed or on its way to the
/// disk, and looks keys up in them from the top. A `Layer` finds entries by hash (`ByteTable`) and,
/// for stores with ranges, in order (`SortedIndex`); their bytes lie in an `Arena`. `MergeRange`
/// shows the sorted entries of all layers as one range. `RestoreBuffer` gathers the entries of a
/// bulk restore. Nothing here knows a cache, a store's types or a serde.
@NullMarked
package dev.millrace.internal.state.layer;

import org.jspecify.annotations.NullMarked;
