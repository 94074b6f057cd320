package dev.millrace.testkit.sim;

import dev.millrace.spi.Log;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a stranger has written to the inputs of a job when it starts, in a transaction that is open
/// then and is committed or aborted some steps later.
final class OpenTransaction {
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final int MOST_WAITS = 1_000;

  private final String writerId;
  private final List<InputRecord> records;
  private final boolean commits;
  private int stepsLeft;
  private @Nullable TransactionalWriter writer;

  /// @param writerId unlike that of any other run
  /// @param records without headers
  OpenTransaction(String writerId, List<InputRecord> records, boolean commits, int steps) {
    this.writerId = writerId;
    this.records = records;
    this.commits = commits;
    stepsLeft = steps;
  }

  /// Opens it, and waits until the log has its records.
  void open(Log log, Runnable wait) {
    if (records.isEmpty()) {
      return;
    }
    TransactionalWriter opened = log.writer(writerId, TIMEOUT);
    opened.open();
    TreeMap<Split, RecordBatch> batches = new TreeMap<>();
    TreeMap<Split, Long> ends = new TreeMap<>();
    log.offsets(records.stream().map(InputRecord::split).distinct().toList())
        .forEach((split, offsets) -> ends.put(split, offsets.end()));
    for (InputRecord record : records) {
      RealTopics.append(record, batches.computeIfAbsent(record.split(), _ -> RecordBatch.create()));
      ends.merge(record.split(), 1L, Long::sum);
    }
    batches.forEach(opened::send);
    for (int i = 0; i < MOST_WAITS && !isThere(log, ends); i++) {
      wait.run();
    }
    if (!isThere(log, ends)) {
      throw new AssertionError("What " + writerId + " has written does not come to the log.");
    }
    writer = opened;
  }

  private static boolean isThere(Log log, TreeMap<Split, Long> ends) {
    return log.offsets(ends.keySet()).entrySet().stream()
        .allMatch(each -> each.getValue().end() >= Objects.requireNonNull(ends.get(each.getKey())));
  }

  /// Another step is taken.
  void goOn() {
    TransactionalWriter opened = writer;
    if (opened == null) {
      return;
    }
    stepsLeft--;
    if (stepsLeft == 0) {
      end(opened);
    } else if (stepsLeft < 0 && opened.outcome() != Outcome.PENDING) {
      opened.close();
      writer = null;
    }
  }

  private void end(TransactionalWriter opened) {
    if (commits) {
      opened.commit();
    } else {
      opened.abort();
    }
  }
}
