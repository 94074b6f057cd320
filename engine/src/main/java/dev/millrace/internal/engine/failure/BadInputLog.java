package dev.millrace.internal.engine.failure;

import dev.millrace.spi.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Warns of what a worker passes over: of the first ones by name, and then now and then of how many
/// more there were, for there may be as many as there are records.
public final class BadInputLog {
  private static final Logger LOG = LoggerFactory.getLogger(BadInputLog.class);

  static final int NAMED = 10;
  static final Duration EVERY = Duration.ofSeconds(10);

  private final Clock clock;
  private final Consumer<String> warnings;
  private long sinceNanos;
  private int named;
  private long more;
  private String last = "";

  BadInputLog(Clock clock) {
    this(clock, LOG::warn);
  }

  BadInputLog(Clock clock, Consumer<String> warnings) {
    this.clock = clock;
    this.warnings = warnings;
  }

  /// Something is passed over.
  ///
  /// @param message where, and why
  void warn(String message) {
    look();
    if (named == 0) {
      sinceNanos = clock.nanos();
    }
    if (named < NAMED) {
      named++;
      warnings.accept(message);
    } else {
      more++;
      last = message;
    }
  }

  /// Tells what is to be told by now.
  public void look() {
    if (named > 0 && clock.nanos() - sinceNanos >= EVERY.toNanos()) {
      flush();
    }
  }

  /// Tells what was not told yet.
  public void flush() {
    if (more > 0) {
      warnings.accept(
          "%d more failed within %d s and are not logged here; the last one: %s"
              .formatted(more, Duration.ofNanos(clock.nanos() - sinceNanos).toSeconds(), last));
    }
    named = 0;
    more = 0;
    last = "";
  }
}
