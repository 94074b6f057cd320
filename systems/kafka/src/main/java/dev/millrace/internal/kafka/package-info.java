/// Kafka as the log of Millrace.
///
/// Start reading at [dev.millrace.internal.kafka.KafkaLog]. It checks its settings and the address,
/// asks the cluster for topics and transactions (`client`), and creates readers (`read`) and
/// writers (`write`). Requests that are not made by Kafka's own clients go through `wire`.
@NullMarked
package dev.millrace.internal.kafka;

import org.jspecify.annotations.NullMarked;
