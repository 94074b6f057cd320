package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads the claims of an application from the first one on. Used by one thread.
final class ClaimReader implements AutoCloseable {
  /// How many batches it takes at a look: a start reads all that there are.
  private static final int AT_ONCE = 1_000;

  private final Log log;
  private final Split split;
  private final StandingClaims claims = new StandingClaims();
  private @Nullable SplitReader reader;
  private long stableEnd;

  ClaimReader(Log log, Split split) {
    this.log = log;
    this.split = split;
  }

  /// Begins with the first claim; waits for the log.
  void open() {
    close();
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    claims.begin(offsets.start());
    stableEnd = offsets.stableEnd();
    SplitReader opened = log.reader("claims");
    reader = opened;
    opened.add(split, Position.of(claims.next()));
  }

  /// Returns what it has read.
  StandingClaims claims() {
    return claims;
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
    for (int i = 0; i < AT_ONCE && !claims.hasRead(end); i++) {
      RecordBatch batch = from.poll(Duration.ZERO);
      if (batch == null) {
        return false;
      }
      claims.take(batch);
      batch.release();
    }
    return claims.hasRead(end);
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
