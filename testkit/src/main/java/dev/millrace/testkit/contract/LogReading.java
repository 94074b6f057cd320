package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Reads with one reader, keeps what came, and checks what holds for every batch.
final class LogReading implements AutoCloseable {
  private static final Duration WAIT = Duration.ofMillis(20);

  private final LogBench bench;
  private final SplitReader reader;
  private final TreeMap<Split, List<ModelRecord>> records = new TreeMap<>();
  private final TreeMap<Split, Long> next = new TreeMap<>();

  LogReading(LogBench bench, SplitReader reader) {
    this.bench = bench;
    this.reader = reader;
  }

  SplitReader reader() {
    return reader;
  }

  /// What came of a split so far.
  List<ModelRecord> records(Split split) {
    return records.getOrDefault(split, List.of());
  }

  /// The values that came of a split so far, as texts.
  List<String> values(Split split) {
    return records(split).stream().map(LogBench::text).toList();
  }

  /// The offset behind all that came of a split, or -1.
  long next(Split split) {
    return next.getOrDefault(split, -1L);
  }

  /// Forgets how far a split was read; before it is added at another position.
  void forget(Split split) {
    records.remove(split);
    next.remove(split);
  }

  /// Takes at most one batch.
  void step() {
    RecordBatch batch = reader.poll(WAIT);
    if (batch == null) {
      return;
    }
    Split split = batch.split();
    long last = next(split) - 1;
    for (int i = 0; i < batch.size(); i++) {
      assertTrue(batch.offset(i) > last, () -> "Offsets of " + batch + " are not in order.");
      last = batch.offset(i);
      assertEquals(last, batch.position(i).offset());
    }
    assertTrue(batch.nextOffset() > last, () -> batch + " says to read on at what came already.");
    assertTrue(batch.nextOffset() > next(split), () -> batch + " does not move on.");
    next.put(split, batch.nextOffset());
    records.computeIfAbsent(split, key -> new ArrayList<>()).addAll(ModelRecord.listOf(batch));
    batch.release();
  }

  /// Reads until a split was read up to an offset.
  void readTo(Split split, long offset) {
    bench.eventually(
        split + " is read to " + offset,
        () -> {
          step();
          return next(split) >= offset;
        });
  }

  /// Reads until so many records of a split came.
  void readRecords(Split split, int count) {
    bench.eventually(
        count + " records of " + split + " came",
        () -> {
          step();
          return records(split).size() >= count;
        });
  }

  /// Reads for a little while; for what must not come.
  void readABit() {
    for (int i = 0; i < 20; i++) {
      step();
      bench.subject().letTimePass();
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
