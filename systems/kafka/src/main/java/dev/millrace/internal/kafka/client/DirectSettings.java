package dev.millrace.internal.kafka.client;

import dev.millrace.internal.kafka.write.DirectProducer;
import java.time.Duration;
import org.apache.kafka.common.compress.Compression;

/// How a [DirectProducer] sends.
///
/// @param compression of batches
/// @param batchBytes how large batches should become
/// @param requestBytes how large requests may become
/// @param sendBytes what may wait for its acknowledgement
/// @param requestTimeout how long a broker waits for its followers
/// @param delivery how long a batch is tried to be sent
/// @param patience how long a coordinator is tried to be asked
/// @param pause before it is tried again
public record DirectSettings(
    Compression compression,
    int batchBytes,
    int requestBytes,
    long sendBytes,
    Duration requestTimeout,
    Duration delivery,
    Duration patience,
    Duration pause) {}
