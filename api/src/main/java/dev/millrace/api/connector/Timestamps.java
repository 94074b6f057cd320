package dev.millrace.api.connector;

/// Which timestamp a record gets in the topic of a sink. Kafka takes no timestamp before 1970, and
/// of a topic's settings `message.timestamp.after.max.ms` (an hour unless said otherwise) and
/// `message.timestamp.before.max.ms` say how far it may be from the broker's clock. Event times
/// know no such limits anywhere else.
public enum Timestamps {
  /// Its event time. A record whose event time the topic does not take is bad input, for which
  /// `errors.on-error` says whether it stops the job, is passed over or is a dead letter.
  EVENT_TIME,

  /// Its event time where the topic takes it; instead of an earlier one the earliest that it takes,
  /// for most topics the beginning of 1970, and instead of a later one the time of writing.
  CLAMPED,

  /// The time of writing, by the clock of the process. What is kept for a week by Kafka's own
  /// default is kept for a week from then on, whenever it happened.
  OF_WRITING
}
