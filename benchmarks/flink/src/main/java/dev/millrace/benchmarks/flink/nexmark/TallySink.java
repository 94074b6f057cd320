package dev.millrace.benchmarks.flink.nexmark;

import dev.millrace.benchmarks.nexmark.model.Tally;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.jspecify.annotations.Nullable;

/// Adds results up within this process.
final class TallySink implements Sink<RowData> {
  private static final long serialVersionUID = 1;

  /// That of the job that runs: one at a time.
  static final AtomicReference<@Nullable Tally> TALLY = new AtomicReference<>();

  private final RowFingerprint fingerprint;

  TallySink(RowFingerprint fingerprint) {
    this.fingerprint = fingerprint;
  }

  static boolean isRetraction(RowData row) {
    return row.getRowKind() == RowKind.UPDATE_BEFORE || row.getRowKind() == RowKind.DELETE;
  }

  @Override
  public SinkWriter<RowData> createWriter(WriterInitContext context) {
    Tally tally = Objects.requireNonNull(TALLY.get());
    return new SinkWriter<>() {
      @Override
      public void write(RowData row, Context at) {
        tally.add(fingerprint.of(row), isRetraction(row));
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public void close() {}
    };
  }
}
