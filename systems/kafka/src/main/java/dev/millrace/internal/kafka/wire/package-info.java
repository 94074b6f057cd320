/// Kafka's protocol without the official clients' records: connections of one thread, on the
/// connection layer and the protocol classes of `kafka-clients`, and record batches as bytes.
///
/// To read: `Wire`, which sends requests and hands out answers; `BatchDecoder` and `BatchEncoder`,
/// which turn Kafka's batches into [dev.millrace.spi.RecordBatch]es and back; `BatchLayout`, where
/// everything lies in a batch.
@NullMarked
package dev.millrace.internal.kafka.wire;

import org.jspecify.annotations.NullMarked;
