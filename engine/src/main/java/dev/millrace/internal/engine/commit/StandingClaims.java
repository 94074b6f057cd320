package dev.millrace.internal.engine.commit;

import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The claims of an application that were made and not withdrawn, as far as they were read. Used by
/// one thread.
public final class StandingClaims {
  /// By the task and the opening of a writer.
  private final Map<Key, Standing> standing = new LinkedHashMap<>();

  private long next;

  private record Key(int task, WriterId writer) {}

  /// A claim that was not withdrawn, and where it lies.
  record Standing(Claim claim, long offset) {}

  /// Begins to read at an offset, the first one of the topic.
  public void begin(long start) {
    standing.clear();
    next = start;
  }

  /// Takes in the next batch, which stays the caller's.
  public void take(RecordBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      Claim claim = Claim.read(batch, i);
      Key key = new Key(claim.task(), claim.writer());
      if (batch.hasValue(i)) {
        standing.put(key, new Standing(claim, batch.offset(i)));
      } else {
        standing.remove(key);
      }
    }
    next = batch.nextOffset();
  }

  /// Returns the offset up to which was read.
  public long next() {
    return next;
  }

  /// Returns whether it was read up to an offset.
  public boolean hasRead(long end) {
    return next >= end;
  }

  /// Returns the claims that were made and not withdrawn.
  Collection<Standing> all() {
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
}
