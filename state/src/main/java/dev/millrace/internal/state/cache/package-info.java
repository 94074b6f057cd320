/// The decoded objects of a task, above its encoded entries.
///
/// [ObjectCache] says which entries are live, frozen or clean and drops clean ones for want of
/// room; `CacheRows` is where they lie in memory. `LiveEntries` shows those that are live as a part
/// of a range, [CachePrefetch] reads their memory ahead of a batch, [MutationCheck] finds objects
/// that were changed in place. Nothing here knows the type of a store or a serde.
@NullMarked
package dev.millrace.internal.state.cache;

import org.jspecify.annotations.NullMarked;
