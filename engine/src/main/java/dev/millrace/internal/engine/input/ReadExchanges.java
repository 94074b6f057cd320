package dev.millrace.internal.engine.input;

import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How far the exchanges were read, by acknowledged commits; what lies before is of no use to
/// anybody and can be deleted. Thread-safe.
public final class ReadExchanges {
  private static final Logger LOG = LoggerFactory.getLogger(ReadExchanges.class);

  private final ConcurrentHashMap<Split, Long> read = new ConcurrentHashMap<>();
  private final Map<Split, Long> deleted = new LinkedHashMap<>();

  public void readUpTo(Split split, long offset) {
    read.put(split, offset);
  }

  /// Deletes what was read since the last call. Waits for the log; what fails is done by the next
  /// call.
  public synchronized void deleteFrom(Log log) {
    Map<Split, Long> due = new LinkedHashMap<>();
    read.forEach((split, offset) -> {
      if (offset > deleted.getOrDefault(split, 0L)) {
        due.put(split, offset);
      }
    });
    if (due.isEmpty()) {
      return;
    }
    try {
      log.deleteBefore(due);
      deleted.putAll(due);
    } catch (LogException e) {
      LOG.warn("Records of exchanges that were read could not be deleted: {}", e.getMessage());
    }
  }
}
