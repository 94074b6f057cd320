package dev.millrace.engine.reset;

import dev.millrace.engine.versions.GivenStart;
import dev.millrace.engine.versions.Recorded;
import dev.millrace.engine.versions.VersionLog;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// The topic with an application's plans, as a reset reads and writes it.
final class VersionsTopic {
  private static final Duration POLL = Duration.ofMillis(20);

  private final String application;
  private final Log log;
  private final Waiting waiting;
  private final Split split;

  VersionsTopic(String application, Log log, Waiting waiting) {
    this.application = application;
    this.log = log;
    this.waiting = waiting;
    split = new Split(VersionLog.topic(application).name(), 0);
  }

  /// What is decided by now; nothing if the topic does not exist.
  Recorded read() {
    Recorded recorded = new Recorded();
    if (log.topics(List.of(split.stream())).isEmpty()) {
      return recorded;
    }
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    if (offsets.start() >= offsets.stableEnd()) {
      return recorded;
    }
    long[] next = {offsets.start()};
    try (SplitReader reader = log.reader("reset")) {
      reader.add(split, Position.of(offsets.start()));
      waiting.until(
          () -> {
            RecordBatch batch = reader.poll(POLL);
            if (batch != null) {
              try {
                recorded.notice(batch);
                next[0] = batch.nextOffset();
              } finally {
                batch.release();
              }
            }
            return next[0] >= offsets.stableEnd();
          },
          () ->
              "%s could be read up to offset %d of %d only."
                  .formatted(split, next[0], offsets.stableEnd()));
    }
    return recorded;
  }

  /// Writes where the application begins. If what it kept is removed, no plan is that of its state
  /// any more.
  void write(GivenStart start, long millis) {
    log.createTopic(VersionLog.topic(application));
    try (TransactionalWriter writer = VersionLog.writer(log, application)) {
      writer.open();
      if (start.finished()) {
        read()
            .plans()
            .forEach(plan -> writer.send(split, Recorded.record(split, plan, null, millis)));
      }
      writer.send(split, Recorded.record(split, start, millis));
      Outcome outcome = waiting.commit(writer);
      if (outcome != Outcome.COMMITTED && !read().start().equals(start)) {
        throw new ResetException(
            "Where '%s' is to begin could not be written to %s. Run the same command again. %s"
                .formatted(application, split, writer.failure()));
      }
    }
  }
}
