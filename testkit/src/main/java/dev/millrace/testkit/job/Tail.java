package dev.millrace.testkit.job;

import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// Reads what is committed to some topics, each record once.
final class Tail implements AutoCloseable {
  private static final Duration WAIT = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Log log;
  private final SplitReader reader;
  private final Map<Split, Long> next = new TreeMap<>();

  Tail(Log log, Collection<Split> splits) {
    this.log = log;
    reader = log.reader("test");
    splits.forEach(this::add);
  }

  /// Reads another split from now on.
  void add(Split split) {
    reader.add(split, Position.of(0));
    next.put(split, 0L);
  }

  /// Reads up to where everything is decided now.
  ///
  /// @return how many records
  int read(BiConsumer<Split, ModelRecord> each) {
    Map<Split, Log.Offsets> offsets = log.offsets(next.keySet());
    long end = System.nanoTime() + PATIENCE.toNanos();
    int count = 0;
    while (isBehind(offsets)) {
      RecordBatch batch = reader.poll(WAIT);
      if (batch != null) {
        for (ModelRecord record : ModelRecord.listOf(batch)) {
          each.accept(batch.split(), record);
          count++;
        }
        next.put(batch.split(), batch.nextOffset());
        batch.release();
      } else if (System.nanoTime() - end > 0) {
        throw new AssertionError("Not read on within %s: %s".formatted(PATIENCE, next));
      }
    }
    return count;
  }

  private boolean isBehind(Map<Split, Log.Offsets> offsets) {
    for (Map.Entry<Split, Log.Offsets> each : offsets.entrySet()) {
      if (Objects.requireNonNull(next.get(each.getKey())) < each.getValue().stableEnd()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    reader.close();
  }
}
