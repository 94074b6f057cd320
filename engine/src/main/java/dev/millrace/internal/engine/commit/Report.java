package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a member tells its commit group.
public sealed interface Report {

  /// Lets go of what nobody will send.
  default void release() {}

  /// Tails are replayed.
  ///
  /// @param writers those of the last commits of tasks
  record Restored(Set<WriterId> writers) implements Report {}

  /// The member's part of a commit, as of the barrier.
  ///
  /// @param batches what to send, each split's batches in order; the group releases them
  /// @param positions consumed positions of sources, for ordinary tools
  record Part(List<RecordBatch> batches, Map<Split, Position> positions) implements Report {
    @Override
    public void release() {
      batches.forEach(RecordBatch::release);
    }
  }

  /// What is ready before the barrier, so that it is on its way long before the commit.
  ///
  /// @param batches what to send, as in a [Part], before the next of which they belong
  record Early(List<RecordBatch> batches) implements Report {
    @Override
    public void release() {
      batches.forEach(RecordBatch::release);
    }
  }

  /// What followed from the last [Order.Publish] is done.
  record Published() implements Report {}

  /// Something has changed that a commit has to keep; told once for each commit.
  record Changed() implements Report {}

  /// A commit should not wait for the interval.
  record CommitWanted(CommitCause cause) implements Report {}

  /// Whether the member is far behind its input; told when that has changed.
  record Behind(boolean now) implements Report {}

  /// Every task of the member has reached the end of its input.
  record Ended() implements Report {}

  /// A task failed.
  record Failed(Failure failure) implements Report {}
}
