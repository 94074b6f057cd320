package dev.millrace.internal.engine.lease;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the signs of life of an application's containers, in the order of the log. Used by one
/// thread.
final class SignReader {
  private final Log log;
  private final Split split;
  private final Bytes view = new Bytes();
  private @Nullable SplitReader reader;
  private long end;
  private long seen;

  SignReader(Log log, Split split) {
    this.log = log;
    this.split = split;
  }

  /// Reads what is there.
  ///
  /// @param atMost how long to wait for it
  /// @param signs is told all that was not told before
  /// @return whether everything was told that was in the log when this reader began, or began anew
  /// @throws LogException if it cannot be read now
  boolean read(Duration atMost, Consumer<SignOfLife> signs) {
    SplitReader from = reader == null ? open() : reader;
    for (RecordBatch batch = from.poll(seen < end ? atMost : Duration.ZERO);
        batch != null;
        batch = from.poll(Duration.ZERO)) {
      tell(batch, signs);
      seen = batch.nextOffset();
      batch.release();
    }
    return seen >= end;
  }

  private SplitReader open() {
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    end = offsets.stableEnd();
    if (seen < offsets.start() || seen > offsets.end()) {
      seen = offsets.start();
    }
    SplitReader opened = log.reader("lease");
    reader = opened;
    opened.add(split, Position.of(seen));
    return opened;
  }

  private void tell(RecordBatch batch, Consumer<SignOfLife> signs) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.hasKey(i) && batch.hasValue(i)) {
        byte[] key = batch.key(i, view).toByteArray();
        SignOfLife sign = SignOfLife.read(key, batch.value(i, view).toByteArray());
        if (sign != null) {
          signs.accept(sign);
        } else if (key.length == Integer.BYTES) {
          signs.accept(SignOfLife.ofAnotherVersion(ByteBuffer.wrap(key).getInt()));
        }
      }
    }
  }

  /// Looks again where the log ends, and goes on where it was.
  void beginAnew() {
    close();
  }

  void close() {
    SplitReader closing = reader;
    reader = null;
    if (closing != null) {
      closing.close();
    }
  }
}
