package dev.millrace.internal.engine.chain;

import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.time.ExchangeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Which timestamp a record gets where it leaves a task: its event time, as long as that lies
/// between two ends, as nearly every one does. Used by one task.
final class TimestampRule {
  /// Clocks differ: what is put in the place of an event time keeps this share of a topic's limit
  /// between itself and that limit.
  private static final int MARGIN = 10;

  private final LongSupplier clock;

  /// Null for an exchange.
  private final @Nullable SinkTopic topic;

  private final Timestamps wanted;

  /// Whether what it is given was taken from values, and is not the event time.
  private final boolean ofValues;

  private long now;
  private long earliest;
  private long latest = ExchangeTime.LATEST;

  private TimestampRule(
      LongSupplier clock, @Nullable SinkTopic topic, Timestamps wanted, boolean ofValues) {
    this.clock = clock;
    this.topic = topic;
    this.wanted = wanted;
    this.ofValues = ofValues;
  }

  /// Of records to an exchange, which carries every event time.
  static TimestampRule ofExchange() {
    return new TimestampRule(() -> 0, null, Timestamps.EVENT_TIME, false);
  }

  /// Of records to a sink.
  ///
  /// @param ofValues whether what it is given is taken from values, and is not the event time
  /// @param clock shows milliseconds since 1970 (UTC)
  static TimestampRule ofSink(
      SinkTopic topic, Timestamps wanted, boolean ofValues, LongSupplier clock) {
    // Where the broker stamps every record nobody sees what it had.
    boolean inVain = topic.stamps() && wanted == Timestamps.EVENT_TIME;
    return new TimestampRule(clock, topic, inVain ? Timestamps.CLAMPED : wanted, ofValues);
  }

  /// Looks at the clock; before some records.
  void begin() {
    if (topic == null) {
      return;
    }
    now = clock.getAsLong();
    long behind = topic.stamps() ? Long.MAX_VALUE : limit(topic.behindMillis());
    long ahead = topic.stamps() ? Long.MAX_VALUE : limit(topic.aheadMillis());
    earliest = behind >= now ? 0 : now - behind;
    latest = ahead >= Long.MAX_VALUE - now ? Long.MAX_VALUE : now + ahead;
    if (wanted == Timestamps.OF_WRITING) {
      latest = Long.MIN_VALUE; // none is between the ends
    }
  }

  private long limit(long millis) {
    return wanted == Timestamps.EVENT_TIME || millis == Long.MAX_VALUE
        ? millis
        : millis - millis / MARGIN;
  }

  /// The timestamp of a record with an event time.
  ///
  /// @throws SerdeException if there is none for it
  long of(long time) {
    return time >= earliest && time <= latest ? time : outside(time);
  }

  private long outside(long time) {
    if (topic == null) {
      return ofExchange(time);
    }
    return switch (wanted) {
      case EVENT_TIME -> throw refused(topic, time);
      case CLAMPED -> time < earliest ? earliest : now;
      case OF_WRITING -> now;
    };
  }

  private static long ofExchange(long time) {
    if (time < ExchangeTime.EARLIEST || time > ExchangeTime.LATEST) {
      throw new SerdeException(
          "The event time %d is out of range for an exchange; it is in milliseconds since 1970."
              .formatted(time));
    }
    return ExchangeTime.toTimestamp(time);
  }

  private SerdeException refused(SinkTopic refusing, long time) {
    boolean behind = time < earliest;
    String setting = behind ? SinkTopic.MOST_BEHIND : SinkTopic.MOST_AHEAD;
    long limit = behind ? refusing.behindMillis() : refusing.aheadMillis();
    String told =
        time < 0
            ? "before 1970: topic '%s' does not accept such a timestamp, like every topic of Kafka."
                .formatted(refusing.name())
            : "more than %s %s the clock: topic '%s' does not accept such a timestamp (its setting %s is %d; kafka-configs.sh changes it)."
                .formatted(
                    Duration.ofMillis(limit),
                    behind ? "behind" : "ahead of",
                    refusing.name(),
                    setting,
                    limit);
    return new SerdeException(
        "The %s is %s, %s With .timestamps(Timestamps.CLAMPED) the sink writes such a record with the nearest timestamp that the topic accepts, with .timestamps(Timestamps.OF_WRITING) every record with the time of writing."
            .formatted(
                ofValues ? "timestamp that is taken from the value" : "event time",
                Instant.ofEpochMilli(time),
                told));
  }
}
