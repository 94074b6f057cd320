package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.Words;
import java.time.Duration;

/// The name of a writer, for messages.
///
/// @param text the transactional id
/// @param timeout after which the log ends a transaction
public record WriterName(String text, Duration timeout) {
  /// @param why what Kafka says
  String fenced(String why) {
    return ("Writer '%s' was fenced: another writer with this id has taken over, or its transaction"
            + " took longer than %s. Kafka says: %s")
        .formatted(text, Words.time(timeout), Words.sentence(why));
  }

  /// @param why what Kafka says
  String expired(String why) {
    return "The log does not know the transaction of writer '%s' (%s). It aborts transactions that take longer than %s."
        .formatted(text, Words.clause(why), Words.time(timeout));
  }
}
