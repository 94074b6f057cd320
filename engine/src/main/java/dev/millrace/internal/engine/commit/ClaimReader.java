package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads the claims of an application from the first one on. Used by one thread.
public final class ClaimReader implements AutoCloseable {
  /// How many batches it takes at a look: a start reads all that there are.
  private static final int AT_ONCE = 1_000;

  private final Log log;
  private final Split split;

  /// What stands, by the task and the opening of a writer.
  private final Map<Key, Standing> standing = new LinkedHashMap<>();

  private @Nullable SplitReader reader;
  private long next;
  private long stableEnd;

  private record Key(int task, WriterId writer) {}

  /// A claim that was not withdrawn, and where it lies.
  record Standing(Claim claim, long offset) {}

  public ClaimReader(Log log, Split split) {
    this.log = log;
    this.split = split;
  }

  /// Begins with the first claim; waits for the log.
  public void open() {
    close();
    standing.clear();
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    next = offsets.start();
    stableEnd = offsets.stableEnd();
    SplitReader opened = log.reader("claims");
    reader = opened;
    opened.add(split, Position.of(next));
  }

  /// Whether it was opened and not closed.
  public boolean isOpen() {
    return reader != null;
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
  public boolean readTo(long end) {
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

  /// Whether it has read up to an offset.
  public boolean hasRead(long end) {
    return next >= end;
  }

  private void take(RecordBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      Claim claim = Claim.read(batch, i);
      Key key = new Key(claim.task(), claim.writer());
      if (batch.hasValue(i)) {
        standing.put(key, new Standing(claim, batch.offset(i)));
      } else {
        standing.remove(key);
      }
    }
  }

  /// Returns the claims that were made and not withdrawn, as far as it has read.
  Collection<Standing> standing() {
    return standing.values();
  }

  /// Returns the claims of others that one stands against: those that were made before it, and
  /// those of later decisions.
  ///
  /// @param end the offset behind it
  public List<Claim> against(Claim own, long end) {
    List<Claim> others = new ArrayList<>();
    for (Standing each : standing.values()) {
      Claim other = each.claim();
      if (other.task() == own.task()
          && !other.writer().transactionalId().equals(own.writer().transactionalId())
          && (each.offset() < end || other.version() > own.version())) {
        others.add(other);
      }
    }
    return others;
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
