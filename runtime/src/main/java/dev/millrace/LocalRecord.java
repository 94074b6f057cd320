package dev.millrace;

import dev.millrace.api.serde.RecordHeaders;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A record of a [LocalTopic].
///
/// @param key null if it has none
/// @param value null if it has none, which deletes its key
public record LocalRecord<K, V>(
    int partition,
    long offset,
    Instant timestamp,
    @Nullable K key,
    @Nullable V value,
    RecordHeaders headers) {}
