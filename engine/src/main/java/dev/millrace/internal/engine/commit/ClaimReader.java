package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads the claims of an application from the first one on. Used by one thread.
final class ClaimReader implements AutoCloseable {
  /// How many batches it takes at a look: a start reads all that there are.
  private static final int AT_ONCE = 1_000;

  private final Log log;
  private final Split split;

  /// The offset of each.
  private final Map<Claim, Long> standing = new LinkedHashMap<>();

  private @Nullable SplitReader reader;
  private long next;
  private long stableEnd;

  ClaimReader(Log log, Split split) {
    this.log = log;
    this.split = split;
  }

  /// Begins with the first claim; waits for the log.
  void open() {
    close();
    standing.clear();
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    next = offsets.start();
    stableEnd = offsets.stableEnd();
    SplitReader opened = log.reader("claims");
    reader = opened;
    opened.add(split, Position.of(next));
  }

  /// Reads on, up to where all was decided when it was opened; waits for nothing.
  ///
  /// @return whether it is there
  boolean readOpened() {
    return readTo(stableEnd);
  }

  /// Reads on, up to an offset; waits for nothing.
  ///
  /// @return whether it is there
  /// @throws dev.millrace.spi.LogException if it cannot be read now
  boolean readTo(long end) {
    SplitReader from = Objects.requireNonNull(reader, "It was not opened.");
    for (int i = 0; i < AT_ONCE && next < end; i++) {
      RecordBatch batch = from.poll(Duration.ZERO);
      if (batch == null) {
        return false;
      }
      take(batch);
      next = batch.nextOffset();
      batch.release();
    }
    return next >= end;
  }

  private void take(RecordBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      Claim claim = Claim.read(batch, i);
      if (batch.hasValue(i)) {
        standing.put(claim, batch.offset(i));
      } else {
        standing.remove(claim);
      }
    }
  }

  /// Returns the claims that were made and not withdrawn, as far as it has read, with the offset of
  /// each.
  Map<Claim, Long> standing() {
    return Collections.unmodifiableMap(standing);
  }

  /// Stops to read; what it has read is known still.
  @Override
  public void close() {
    SplitReader closing = reader;
    reader = null;
    if (closing != null) {
      closing.close();
    }
  }
}
