package dev.millrace.internal.engine.reset;

import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.GivenStart;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;

/// The topic with an application's plans, as a reset reads and writes it.
final class VersionsTopic {
  private final ApplicationName application;
  private final Log log;
  private final Waiting waiting;
  private final Split split;

  VersionsTopic(ApplicationName application, Log log, Waiting waiting) {
    this.application = application;
    this.log = log;
    this.waiting = waiting;
    split = new Split(VersionLog.topic(application.storage()).name(), 0);
  }

  /// What is decided by now; nothing if the topic does not exist.
  Recorded recorded() {
    return VersionLog.recorded(application.storage(), log, waiting.clock(), waiting.pause());
  }

  /// Writes where the application begins. If what it kept is removed, no plan is that of its state
  /// any more.
  void write(GivenStart start, long millis) {
    log.createTopic(VersionLog.topic(application.storage()));
    try (TransactionalWriter writer = VersionLog.writer(log, application.storage())) {
      writer.open();
      if (start.finished()) {
        VersionLog.recordedLast(application.storage(), log, waiting.clock(), waiting.pause())
            .plans()
            .forEach(plan -> writer.send(split, Recorded.record(split, plan, null, millis)));
        writer.send(split, Recorded.record(split, Recorded.DEPLOYMENT, null, millis));
      }
      writer.send(split, Recorded.record(split, start, millis));
      Outcome outcome = waiting.commit(writer);
      if (outcome != Outcome.COMMITTED && !recorded().start().equals(start)) {
        throw new ResetException(
            "The start of '%s' could not be written to %s. Run the same command again. %s"
                .formatted(application.name(), split, writer.failure()));
      }
    }
  }
}
