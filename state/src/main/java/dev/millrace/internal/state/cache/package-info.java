/// The decoded objects of a task, above its encoded entries.
///
/// [ObjectCache] tracks which entries are live, frozen or clean, and evicts clean ones; `CacheRows`
/// holds them in memory. `LiveEntries` iterates live entries as a part of a range, [CachePrefetch]
/// prefetches their memory for a batch, [MutationCheck] finds objects that were changed in place.
/// Nothing here knows the type of a store or a serde.
@NullMarked
package dev.millrace.internal.state.cache;

import org.jspecify.annotations.NullMarked;
