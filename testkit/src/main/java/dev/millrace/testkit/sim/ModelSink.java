package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.spi.ExternalSink;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.SinkException;
import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A sink outside the log that fails now and then, before or after it has taken what was delivered,
/// and that minds what the engine promises it: that commits come in order, and again only with the
/// same records.
///
/// @param <V> the values
public final class ModelSink<V> implements ExternalSink<Object, V> {
  private final String stream;
  private final Serde<V> serde;
  private final Seed seed;
  private final double failures;
  private final Map<String, TreeMap<Long, List<V>>> taken = new TreeMap<>();
  private long failed;
  private long repeated;

  /// @param failures the chance that a delivery fails
  public ModelSink(String stream, Serde<V> serde, Seed seed, double failures) {
    this.stream = stream;
    this.serde = serde;
    this.seed = seed;
    this.failures = failures;
  }

  @Override
  public String stream() {
    return stream;
  }

  @Override
  public Serde<V> valueSerde() {
    return serde;
  }

  /// What a task delivered, by commit.
  public Map<Long, List<V>> taken(String task) {
    return taken.getOrDefault(task, new TreeMap<>());
  }

  /// Everything, task by task, in order of the commits.
  public List<V> all() {
    List<V> all = new ArrayList<>();
    taken.values().forEach(commits -> commits.values().forEach(all::addAll));
    return all;
  }

  /// How often a delivery failed.
  public long failed() {
    return failed;
  }

  /// How often a commit came again.
  public long repeated() {
    return repeated;
  }

  @Override
  public Delivery open(String task, String changelog) {
    return new Delivery() {
      @Override
      public void deliver(long commit, RecordBatch batch) {
        maybeFail(task, commit);
        take(taken.computeIfAbsent(task, _ -> new TreeMap<>()), task, commit, read(batch));
        maybeFail(task, commit);
      }

      @Override
      public void close() {}
    };
  }

  private void maybeFail(String task, long commit) {
    if (seed.chance(failures)) {
      failed++;
      throw new SinkException("The model fails commit " + commit + " of task " + task + ".", null);
    }
  }

  private void take(TreeMap<Long, List<V>> commits, String task, long commit, List<V> values) {
    List<V> before = commits.get(commit);
    if (before != null) {
      repeated++;
      if (!before.equals(values)) {
        throw new AssertionError(
            "Commit %d of task %s was delivered with %s and then with %s."
                .formatted(commit, task, before, values));
      }
    } else if (!commits.isEmpty() && commits.lastKey() > commit) {
      throw new AssertionError(
          "Commit %d of task %s was delivered after commit %d."
              .formatted(commit, task, commits.lastKey()));
    }
    commits.put(commit, values);
  }

  private List<V> read(RecordBatch batch) {
    List<V> values = new ArrayList<>();
    Bytes view = new Bytes();
    for (int i = 0; i < batch.size(); i++) {
      values.add(serde.read(batch.value(i, view)));
    }
    return values;
  }
}
