package dev.millrace.internal.engine.output;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A worker's part of a commit, while its tasks hand theirs over. What lies in the outbox for
/// others than the changelog was taken out when it began; since then that is of the next commit.
public final class CommitParts {
  private final Outbox outbox;
  private final long timestamp;
  private final Map<Split, Position> positions = new LinkedHashMap<>();
  private long changedBytes;

  /// @param timestamp of changelog records, in milliseconds since 1970
  public CommitParts(Outbox outbox, long timestamp) {
    this.outbox = outbox;
    this.timestamp = timestamp;
  }

  /// Adds a record to the changelog.
  public void change(Split changelog, Bytes key, @Nullable Bytes value) {
    var batch = outbox.append(changelog.stream(), changelog.partition(), timestamp);
    batch.key(key.array(), key.offset(), key.length());
    changedBytes += key.length();
    if (value != null) {
      batch.value(value.array(), value.offset(), value.length());
      changedBytes += value.length();
    }
  }

  /// The bytes of keys and values added to the changelog since this was asked last.
  public long takeChangedBytes() {
    long taken = changedBytes;
    changedBytes = 0;
    return taken;
  }

  public void position(Split split, Position position) {
    positions.put(split, position);
  }

  /// The batches of the changelog that are full.
  public List<RecordBatch> takeFull() {
    return outbox.takeFullChanges();
  }

  /// The rest.
  public Report.Part take() {
    return new Report.Part(outbox.drainChanges(), positions);
  }
}
