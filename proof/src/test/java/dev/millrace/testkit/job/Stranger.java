package dev.millrace.testkit.job;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Log;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.sim.InputRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// A producer that writes to one partition in transactions, and is not the job that is tested.
final class Stranger implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final int MOST_MILLIS = 10_000;

  private final ModelLog log;
  private final Split split;
  private final TransactionalWriter writer;

  Stranger(ModelLog log, Split split) {
    this.log = log;
    this.split = split;
    writer = log.writer("stranger-of-" + split, TIMEOUT);
    writer.open();
  }

  /// Writes records in a transaction that stays open, and waits until the log has them.
  void send(List<InputRecord> records) {
    long end = offsets().end() + records.size();
    RecordBatch batch = RecordBatch.create();
    for (InputRecord record : records) {
      Bytes key = Objects.requireNonNull(record.key());
      Bytes value = Objects.requireNonNull(record.value());
      batch.append(batch.size(), record.timestamp());
      batch.key(key.array(), key.offset(), key.length());
      batch.value(value.array(), value.offset(), value.length());
    }
    writer.send(split, batch);
    await("has its records", () -> offsets().end() >= end);
    await("knows that they are open", () -> offsets().stableEnd() < offsets().end());
  }

  void commit() {
    writer.commit();
    decided(Outcome.COMMITTED);
  }

  void abort() {
    writer.abort();
    decided(Outcome.ABORTED);
  }

  private void decided(Outcome expected) {
    await("says what became of it", () -> writer.outcome() == expected);
    await("has the marker", () -> offsets().stableEnd() == offsets().end());
  }

  private Log.Offsets offsets() {
    return Objects.requireNonNull(log.offsets(List.of(split)).get(split));
  }

  private void await(String what, BooleanSupplier reached) {
    for (int i = 0; !reached.getAsBoolean(); i++) {
      if (i == MOST_MILLIS) {
        throw new AssertionError("Not seen of " + split + ": the log " + what);
      }
      log.advance(Duration.ofMillis(1));
    }
  }

  @Override
  public void close() {
    writer.close();
  }
}
