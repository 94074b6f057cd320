package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.Engine;
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
import dev.millrace.testkit.log.ModelRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// What must hold when a job has come to its end, whatever job it is.
final class StateCheck {
  private static final Bytes FIRST_KEY = Bytes.of(new byte[] {0});

  /// In how many steps all that is asked for is done.
  private static final int SETTLING_STEPS = 3_000;

  /// For how many steps a claim may stand at most of a task that moves, where many processes that
  /// have been replaced still take their turns.
  private static final int MOVING_STEPS = 10_000;

  private StateCheck() {}

  /// Every task's disk with the rest of the changelog is what the whole changelog says. Ends every
  /// process that still runs.
  static void requireReplayable(Cluster cluster, Written written) {
    cluster.endAll();
    SimulationSettings settings = cluster.settings();
    for (int i = 0; i < cluster.size(); i++) {
      Host host = cluster.container(i).host();
      host.failNext(0);
      host.free();
      try (Disks disks = host.mount()) {
        for (Plan.TaskId task : tasks(i, settings, written.plan())) {
          requireReplayable(task, disks, host.worn(), written);
        }
      }
    }
  }

  /// The tasks that a container has, or may have had.
  private static List<Plan.TaskId> tasks(int container, SimulationSettings settings, Plan plan) {
    if (settings.placing().moves()) {
      return plan.tasks();
    }
    Placement placement =
        new Placement(container, settings.containers(), settings.workers(), settings.groups());
    return placement.tasks(plan).stream().flatMap(List::stream).toList();
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
      if (task.isPart()) {
        return; // what it has of another task lies in that one's changelog
      }
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

  /// A while after the job has come to its end, no process claims a task that it does not have, or
  /// claims one twice, but for a moment: tasks may move still.
  static void requireClaimsOfOwners(Simulation simulation) {
    simulation.cluster().calm();
    for (int i = 0; i < SETTLING_STEPS; i++) {
      simulation.step();
    }
    for (int i = 0; i < MOVING_STEPS && !claimsOfOwners(simulation).isEmpty(); i++) {
      simulation.step();
    }
    claimsOfOwners(simulation)
        .forEach((process, found) ->
            Scenario.requireEqual("the claims of " + process, found.held(), found.claimed()));
  }

  /// The numbers of the tasks that a process has, and of those that it claims.
  private record Claims(List<Integer> held, List<Integer> claimed) {}

  /// Returns what the processes have that claim other tasks than they have.
  private static SortedMap<String, Claims> claimsOfOwners(Simulation simulation) {
    Map<Bytes, Boolean> standing = new TreeMap<>();
    for (ModelRecord record : simulation.log().records(simulation.plan().claimsTopic())) {
      standing.put(Objects.requireNonNull(record.key()), record.value() != null);
    }
    standing.values().removeIf(stands -> !stands);
    SortedMap<String, Claims> differing = new TreeMap<>();
    for (Container container : simulation.cluster().everybody()) {
      Engine engine = container.engine();
      if (engine != null) {
        String writers =
            Placement.idPrefix(simulation.plan().storage()) + container.process() + ".";
        List<Integer> claimed =
            standing.keySet().stream()
                .filter(claim -> writerOf(claim).startsWith(writers))
                .map(claim -> ByteBuffer.wrap(claim.toByteArray()).getInt())
                .sorted()
                .toList();
        // Who has lost a task and has had nothing to write since does not know it, and holds it.
        List<Integer> held = new ArrayList<>(engine.held().keySet());
        held.retainAll(claimed);
        if (!held.equals(claimed)) {
          differing.put(container.process(), new Claims(held, claimed));
        }
      }
    }
    return differing;
  }

  /// The transactional id of a claim, which stands behind three numbers.
  private static String writerOf(Bytes claim) {
    byte[] bytes = claim.toByteArray();
    int start = Integer.BYTES + Long.BYTES + Integer.BYTES;
    return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
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
