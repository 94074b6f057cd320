package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.commit.DiskPosition;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.testkit.disk.Host;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What must hold when a job has come to its end, whatever job it is.
final class StateCheck {
  private static final Bytes FIRST_KEY = Bytes.of(new byte[] {0});

  private StateCheck() {}

  /// Every task's disk with the rest of the changelog is what the whole changelog says. Ends every
  /// process that still runs.
  static void requireReplayable(Cluster cluster, Written written) {
    cluster.endAll();
    SimulationSettings settings = cluster.settings();
    for (int i = 0; i < cluster.size(); i++) {
      Placement placement =
          new Placement(i, settings.containers(), settings.workers(), settings.groups());
      Host host = cluster.container(i).host();
      host.failNext(0);
      host.free();
      try (Disks disks = host.mount()) {
        for (List<Plan.TaskId> tasks : placement.tasks(written.plan())) {
          for (Plan.TaskId task : tasks) {
            requireReplayable(task, disks, host.worn(), written);
          }
        }
      }
    }
  }

  /// @param worn whether the disk may be corrupt, if it says so
  private static void requireReplayable(
      Plan.TaskId task, Disks disks, boolean worn, Written written) {
    try (Disk disk = disks.open(task.toString())) {
      requireReplayable(task, disk, written);
    } catch (DiskException e) {
      if (!worn || e.kind() != DiskException.Kind.CORRUPT) {
        throw e;
      }
    }
  }

  private static void requireReplayable(Plan.TaskId task, Disk disk, Written written) {
    TreeMap<Bytes, Bytes> state = new TreeMap<>();
    long from = 0;
    byte[] encoded = disk.position();
    if (encoded != null) {
      DiskPosition position = DiskPosition.read(encoded);
      from = position.offset();
      state.put(CommitRecord.KEY, Bytes.of(position.commitRecord()));
    }
    try (Disk.Cursor cursor = disk.range(FIRST_KEY, null)) {
      while (cursor.next()) {
        state.put(cursor.key().copy(), cursor.value().copy());
      }
    }
    written.replay(task.number(), from, state);
    TreeMap<Bytes, Bytes> said = written.replay(task.number(), 0, new TreeMap<>());
    if (!state.equals(said)) {
      throw new AssertionError(
          "The state of task %s from its disk and the changelog from offset %d is %s, but from the whole changelog it is %s."
              .formatted(task, from, difference(state, said), difference(said, state)));
    }
  }

  private static Map<Bytes, Bytes> difference(
      TreeMap<Bytes, Bytes> one, TreeMap<Bytes, Bytes> other) {
    Map<Bytes, Bytes> only = new TreeMap<>(one);
    only.entrySet().removeAll(other.entrySet());
    return only;
  }

  /// Nobody has left a transaction behind.
  static void requireNothingOpen(Log log, Collection<String> topics) {
    log.topics(topics)
        .forEach((topic, info) -> {
          for (int i = 0; i < info.partitions(); i++) {
            var open = log.openTransactions(new Split(topic, i));
            if (!open.isEmpty()) {
              throw new AssertionError(topic + "-" + i + " has open transactions: " + open);
            }
          }
        });
  }
}
