package dev.millrace.testkit.sim;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.Protocol;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// What containers were doing when they were crashed, and how often: a run that was never crashed
/// at some point of the protocol says nothing about it.
///
/// A point is a state of a commit group, such as `COMMITTING`. `FENCING, rolling back` is the way
/// back from a commit that failed. `, in disk` follows when the crash came in the middle of an
/// operation on the disk: of a flush, or of opening the disk while `RESTORING`.
public final class CrashPoints {
  private final Map<String, Integer> counts = new TreeMap<>();

  void crashed(Engine engine, boolean inDisk) {
    for (CommitGroup group : engine.groups()) {
      String point = group.state().toString();
      if (group.state() == Protocol.State.FENCING && group.metrics().unconfirmedCommits() > 0) {
        point += ", rolling back";
      }
      counts.merge(inDisk ? point + ", in disk" : point, 1, Integer::sum);
    }
  }

  /// Adds what another run was crashed at.
  public void add(CrashPoints other) {
    other.counts.forEach((point, count) -> counts.merge(point, count, Integer::sum));
  }

  /// How often a group was crashed at a point.
  public int at(String point) {
    return counts.getOrDefault(point, 0);
  }

  /// How often a group was crashed at all.
  public int all() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// The counts by point.
  public Map<String, Integer> counts() {
    return Collections.unmodifiableMap(counts);
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
