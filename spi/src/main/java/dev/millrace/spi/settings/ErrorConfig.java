package dev.millrace.spi.settings;

import java.util.Set;

/// What happens to a record that cannot be processed.
///
/// @param onError stop, pass over, or send to the dead-letter topic
/// @param deadLetterTopic empty for `<application>-dead-letters`
/// @param skip records to pass over
public record ErrorConfig(OnError onError, String deadLetterTopic, Set<RecordPlace> skip) {

  /// Returns the defaults: the job stops and names the record.
  public static ErrorConfig defaults() {
    return new ErrorConfig(OnError.FAIL, "", Set.of());
  }

  /// Returns a copy with another way to handle a record that cannot be processed; the job stops by
  /// default.
  public ErrorConfig withOnError(OnError newOnError) {
    return new ErrorConfig(newOnError, deadLetterTopic, skip);
  }

  /// Returns a copy with another dead-letter topic; empty, as by default, for
  /// `<application>-dead-letters`.
  public ErrorConfig withDeadLetterTopic(String newTopic) {
    return new ErrorConfig(onError, newTopic, skip);
  }

  /// Returns a copy with other records to pass over; none by default.
  public ErrorConfig withSkip(Set<RecordPlace> newSkip) {
    return new ErrorConfig(onError, deadLetterTopic, newSkip);
  }

  /// Returns a copy that names the dead-letter topic of an application.
  public ErrorConfig named(String application) {
    return withDeadLetterTopic(deadLetterTopicOf(application));
  }

  /// Returns the name of the dead-letter topic of an application, whether or not it has one.
  public String deadLetterTopicOf(String application) {
    return deadLetterTopic.isEmpty() ? application + "-dead-letters" : deadLetterTopic;
  }
}
