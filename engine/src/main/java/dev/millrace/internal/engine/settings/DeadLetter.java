package dev.millrace.internal.engine.settings;

/// The headers of a dead letter, beside those that its record had. All are text.
public final class DeadLetter {
  /// Where the record lay that could not be processed; none of these three if it was not a record
  /// that failed.
  public static final String TOPIC = "millrace.topic";

  public static final String PARTITION = "millrace.partition";
  public static final String OFFSET = "millrace.offset";

  /// The record's own timestamp, in milliseconds since 1970. That of the letter is the broker's
  /// time at which it was written, so that it is kept as long as the topic keeps what is new.
  public static final String TIMESTAMP = "millrace.timestamp";

  /// The operator that failed, as in messages.
  public static final String OPERATOR = "millrace.operator";

  /// What it failed with.
  public static final String CAUSE = "millrace.cause";

  /// What it was if not a record: `result`, `timer`, `timer by the clock`, `row`. Its key and what
  /// was kept of it are the letter's.
  public static final String KIND = "millrace.kind";

  /// The operator that was to make it, which may stand before the one that failed.
  public static final String SOURCE = "millrace.source";

  /// The task, as stage and partition, such as `1-3`.
  public static final String TASK = "millrace.task";

  /// When it was due in event time, as ISO 8601.
  public static final String TIME = "millrace.time";

  /// Start and end of the window whose result it was.
  public static final String WINDOW = "millrace.window";

  /// How many bytes key, value and other headers had, if they are left out because a topic takes no
  /// record of that size.
  public static final String LEFT_OUT = "millrace.left-out";

  /// How often the record was sent in again.
  public static final String RESENT = "millrace.resent";

  private DeadLetter() {}
}
