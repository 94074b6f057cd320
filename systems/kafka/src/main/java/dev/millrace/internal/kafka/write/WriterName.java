package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.Words;
import java.time.Duration;

/// Whose transactions these are, for what failures say.
///
/// @param text the transactional id
/// @param timeout after which the log ends a transaction
public record WriterName(String text, Duration timeout) {
  /// @param why what Kafka says
  String fenced(String why) {
    return ("Writer '%s' was fenced: another writer with this id took over, or its transaction took"
            + " longer than %s. Kafka says: %s")
        .formatted(text, Words.time(timeout), Words.sentence(why));
  }

  /// @param why what Kafka says
  String expired(String why) {
    return "The log knows nothing of the transaction of writer '%s' (%s). It ends those that take longer than %s."
        .formatted(text, Words.clause(why), Words.time(timeout));
  }
}
