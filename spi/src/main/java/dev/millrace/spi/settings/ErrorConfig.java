package dev.millrace.spi.settings;

import dev.millrace.api.OnError;
import java.util.Set;

/// What happens to a record that cannot be processed.
///
/// @param onError stop, pass over, or send to the dead-letter topic
/// @param deadLetterTopic empty for `<application>-dead-letters`
/// @param skip records to pass over
public record ErrorConfig(OnError onError, String deadLetterTopic, Set<RecordPlace> skip) {

  public static ErrorConfig defaults() {
    return new ErrorConfig(OnError.FAIL, "", Set.of());
  }

  /// The name of the dead-letter topic of an application, whether or not it has one.
  public String deadLetterTopicOf(String application) {
    return deadLetterTopic.isEmpty() ? application + "-dead-letters" : deadLetterTopic;
  }
}
