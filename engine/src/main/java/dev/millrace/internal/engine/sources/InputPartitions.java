package dev.millrace.internal.engine.sources;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.Log;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// Whether the topics that a job reads and writes have the partitions that it was planned for. What
/// was added to an input is read if its tasks can ([ReadPartitions]); else keys belong elsewhere in
/// it. Used by one thread at a time, but for [#written].
public final class InputPartitions {

  /// What a topic is to a job.
  private enum Use {
    READ,
    /// Up to an end that was fixed when the job began.
    READ_TO_AN_END,
    WRITTEN
  }

  private record Known(int partitions, Use use) {}

  /// What becomes of partitions that a topic was not planned with.
  public enum Effect {
    /// They are read by the tasks that there are.
    READ,
    /// They are not read, or not written to, and nothing is wrong.
    LEFT,
    /// The job has to end: to go on would leave records unread, while event time moves past them.
    ENDS
  }

  private final Log log;
  private final ReadPartitions reads;
  private final String application;
  private final Map<String, Known> topics = new ConcurrentSkipListMap<>();

  /// What was found last.
  private Map<String, Integer> last = new TreeMap<>();

  /// A topic with other partitions than the job was planned for.
  ///
  /// @param message names the topic, how many partitions it had and has, and the way out
  public record Changed(String topic, int planned, int now, Effect effect, String message) {
    /// Whether the job has to end.
    public boolean ends() {
      return effect == Effect.ENDS;
    }
  }

  /// @param reads is told which partitions were added
  /// @param sinks how many partitions the topics had that results go to
  public InputPartitions(
      Log log, Sources sources, Plan plan, ReadPartitions reads, Map<String, Integer> sinks) {
    this.log = log;
    this.reads = reads;
    application = plan.application();
    sinks.forEach((topic, partitions) -> topics.put(topic, new Known(partitions, Use.WRITTEN)));
    for (Plan.Stage stage : plan.stages()) {
      for (Plan.Input input : stage.inputs()) {
        if (input.exchange() == null && sources.onLog(input.stream())) {
          Use use = toAnEnd(input) ? Use.READ_TO_AN_END : Use.READ;
          topics.merge(
              input.stream(),
              new Known(input.partitions(), use),
              (old, read) -> old.use() == Use.READ ? old : read);
        }
      }
    }
  }

  /// Another topic is written to from now on. Thread-safe.
  public void written(String topic, int partitions) {
    topics.putIfAbsent(topic, new Known(partitions, Use.WRITTEN));
  }

  private static boolean toAnEnd(Plan.Input input) {
    return input.heads().stream()
        .allMatch(head -> head instanceof Node.Input source && source.source().bounded());
  }

  /// Asks the log, with one question for all topics, and waits for it. A topic that is not there is
  /// left to those who read it.
  public List<Changed> look() {
    Map<String, Integer> now = log.partitions(topics.keySet());
    List<Changed> changed = new ArrayList<>();
    topics.forEach((topic, known) -> {
      int found = now.getOrDefault(topic, known.partitions());
      // A broker that lags behind may show fewer for a moment.
      boolean certain = found > known.partitions() || last.getOrDefault(topic, 0) == found;
      if (found != known.partitions() && certain) {
        changed.add(changed(topic, known, found));
      }
    });
    last = now;
    return changed;
  }

  private Changed changed(String topic, Known known, int now) {
    String counts = counts(topic, known.partitions(), now, application);
    boolean anew = now < known.partitions();
    boolean read = known.use() == Use.READ && !anew && reads.add(topic, now);
    boolean ends =
        !read && (known.use() == Use.READ || (known.use() == Use.READ_TO_AN_END && anew));
    Effect effect = ends ? Effect.ENDS : read ? Effect.READ : Effect.LEFT;
    String then;
    if (known.use() == Use.WRITTEN) {
      then =
          "Until the next start, results are written to the partitions that it had; then keys are"
              + " distributed over all partitions.";
    } else if (anew) {
      then = "It was deleted and created again, so the job ends. " + wayOut(application);
    } else if (read) {
      then =
          "The new partitions are read by the tasks that there are, partition %d by the one that reads partition 0."
              .formatted(known.partitions());
    } else if (ends) {
      then =
          "The job commits what it has read and ends, because keys belong to other tasks now: %d is no multiple. If no record was written to the topic since, give it a multiple, and start the job again. %s"
              .formatted(now, wayOut(application));
    } else {
      then =
          "The new partitions are not read, because their records were written after the end up to"
              + " which this job reads.";
    }
    return new Changed(topic, known.partitions(), now, effect, counts + " " + then);
  }

  /// Says how many partitions a topic had and has.
  public static String counts(String topic, int planned, int now, String application) {
    return "Topic '%s' had %d partitions when application '%s' was planned, and has %d now."
        .formatted(topic, planned, application, now);
  }

  /// Says how to go on where a topic has got other partitions. State does not move to the tasks of
  /// other partitions.
  public static String wayOut(String application) {
    return ("What is committed is correct. The state of '%1$s' belongs to the former partitions, so"
            + " no start can continue with it. Start again from the content of the topics: give"
            + " the application another name, or, if its state may be lost, see what 'millrace"
            + " app reset %1$s --to earliest' would do. If the topic is read with .key(...),"
            + " read it without and use groupBy(name, key), because its older records are in"
            + " partitions to which their keys do not belong any more.")
        .formatted(application);
  }
}
