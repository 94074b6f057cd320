package dev.millrace.benchmarks.commit;

import dev.millrace.api.serde.Bytes;
import dev.millrace.benchmarks.process.ForwardingLog;
import dev.millrace.benchmarks.process.ForwardingWriter;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.Log;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;

/// A log that never gets the changelog, only the commit records in it: what a job would be that
/// keeps its state nowhere else. Its state cannot be restored.
///
/// The engine still encodes what changed, as that is also what it writes to disk.
public final class WithoutChangelog extends ForwardingLog {
  private final String changelogTopic;

  WithoutChangelog(Log log, String changelogTopic) {
    super(log);
    this.changelogTopic = changelogTopic;
  }

  /// What a job runs on, without the changelog of that name.
  public static Surroundings around(Surroundings seen, String changelogTopic) {
    return new Surroundings(
        new WithoutChangelog(seen.log(), changelogTopic),
        seen.disks(),
        seen.clock(),
        seen.sources(),
        seen.calls(),
        seen.snapshots());
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    return new Writer(super.writer(transactionalId, timeout));
  }

  private final class Writer extends ForwardingWriter {
    private final Bytes view = new Bytes();

    Writer(TransactionalWriter writer) {
      super(writer);
    }

    @Override
    public void send(Split to, RecordBatch batch) {
      if (!to.stream().equals(changelogTopic)) {
        super.send(to, batch);
        return;
      }
      RecordBatch kept = RecordBatch.create().reset(batch.split(), new byte[0], 0);
      for (int i = 0; i < batch.size(); i++) {
        if (batch.hasKey(i) && batch.key(i, view).equals(CommitRecord.KEY)) {
          kept.append(i, batch.timestamp(i));
          kept.key(view.array(), view.offset(), view.length());
          batch.value(i, view);
          kept.value(view.array(), view.offset(), view.length());
        }
      }
      batch.release();
      if (kept.size() > 0) {
        super.send(to, kept);
      }
    }
  }
}
