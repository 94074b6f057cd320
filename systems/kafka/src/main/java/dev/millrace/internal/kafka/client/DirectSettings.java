package dev.millrace.internal.kafka.client;

import java.time.Duration;
import org.apache.kafka.common.compress.Compression;

/// Settings of a producer of the direct data plane.
///
/// @param compression of batches
/// @param batchBytes the wanted size of batches
/// @param requestBytes the largest size of a request
/// @param sendBytes the largest size of batches without an acknowledgement
/// @param requestTimeout how long a broker waits for its followers
/// @param delivery how long sending of a batch is tried
/// @param patience how long a request to a coordinator is tried
/// @param pause the time before another attempt
public record DirectSettings(
    Compression compression,
    int batchBytes,
    int requestBytes,
    long sendBytes,
    Duration requestTimeout,
    Duration delivery,
    Duration patience,
    Duration pause) {}
