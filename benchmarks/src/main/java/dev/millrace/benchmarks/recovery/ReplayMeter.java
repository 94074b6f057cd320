package dev.millrace.benchmarks.recovery;

import dev.millrace.benchmarks.process.ForwardingLog;
import dev.millrace.internal.engine.commit.DiskPosition;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Measures beside the engine what it replays: the bytes of the changelog that its readers return,
/// and the positions that its disks have when they are opened. Thread-safe.
final class ReplayMeter {
  private final String changelogTopic;
  private final LongAdder bytes = new LongAdder();
  private final Map<String, Long> flushed = new ConcurrentHashMap<>();

  ReplayMeter(String changelogTopic) {
    this.changelogTopic = changelogTopic;
  }

  /// What the engine runs on, with this in between.
  Surroundings around(Surroundings seen) {
    return new Surroundings(
        new MeteredLog(seen),
        new MeteredDisks(seen.disks()),
        seen.clock(),
        seen.sources(),
        seen.calls(),
        seen.snapshots());
  }

  /// Keys and values that were read of the changelog.
  long bytes() {
    return bytes.sum();
  }

  /// The offset that each task's disk had reached, by the name of the task; only those that had
  /// any.
  Map<String, Long> flushed() {
    return new TreeMap<>(flushed);
  }

  private final class MeteredLog extends ForwardingLog {
    MeteredLog(Surroundings seen) {
      super(seen.log());
    }

    @Override
    public SplitReader reader(String clientId) {
      return new MeteredReader(super.reader(clientId));
    }
  }

  private final class MeteredReader implements SplitReader {
    private final SplitReader reader;

    MeteredReader(SplitReader reader) {
      this.reader = reader;
    }

    @Override
    public @Nullable RecordBatch poll(Duration atMost) {
      RecordBatch batch = reader.poll(atMost);
      if (batch != null && batch.split().stream().equals(changelogTopic)) {
        bytes.add(batch.dataLength());
      }
      return batch;
    }

    @Override
    public void add(Split split, Position start) {
      reader.add(split, start);
    }

    @Override
    public void remove(Split split) {
      reader.remove(split);
    }

    @Override
    public void pause(Split split) {
      reader.pause(split);
    }

    @Override
    public void resume(Split split) {
      reader.resume(split);
    }

    @Override
    public long endOffset(Split split) {
      return reader.endOffset(split);
    }

    @Override
    public void wakeup() {
      reader.wakeup();
    }

    @Override
    public void close() {
      reader.close();
    }
  }

  private final class MeteredDisks implements Disks {
    private final Disks disks;

    MeteredDisks(Disks disks) {
      this.disks = disks;
    }

    @Override
    public Disk open(String task) {
      Disk disk = disks.open(task);
      byte[] position = disk.position();
      if (position != null) {
        flushed.putIfAbsent(task, DiskPosition.read(position).offset());
      }
      return disk;
    }

    @Override
    public void wipe(String task) {
      disks.wipe(task);
    }

    @Override
    public @Nullable DiskStage stage(String task) {
      return disks.stage(task);
    }

    @Override
    public SortedSet<String> stored() {
      return disks.stored();
    }

    @Override
    public void close() {
      disks.close();
    }
  }
}
