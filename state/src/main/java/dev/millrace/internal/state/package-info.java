/// The stores of a task: what a commit sees of them, and how little of it costs anything.
///
/// [TaskState] is the door. Read on in this order: [CachedStore] is what an operator holds;
/// `ObjectCache` keeps decoded objects and knows which of them are live; `Layer` holds encoded
/// entries, once as pending and once as committed; `SortedIndex` and `MergeRange` give stores with
/// ranges their order; below is a [dev.millrace.spi.Disk]. Everything belongs to one task and its
/// thread.
@NullMarked
package dev.millrace.internal.state;

import org.jspecify.annotations.NullMarked;
