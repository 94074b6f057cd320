package dev.millrace.testkit.log;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.Trace;
import dev.millrace.testkit.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Knows every transactional id, its producer id and epoch, and decides its transactions.
///
/// Follows Kafka's protocol of version 2: the epoch counts up with every end of a transaction, so
/// that a request that comes late is told from one of the next transaction. An end is answered when
/// it is decided; the markers in the partitions follow, each at its own time, and the id cannot
/// write to a new partition before the last of them.
final class Coordinator {
  static final int EPOCH = 0;
  private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(15);

  private final Scheduler scheduler;
  private final Trace trace;
  private final Seed seed;
  private final ModelSettings settings;
  private final Groups groups;
  private final TreeMap<String, Id> ids = new TreeMap<>();
  private long nextProducerId = 1000;

  Coordinator(Scheduler scheduler, Trace trace, Seed seed, ModelSettings settings, Groups groups) {
    this.scheduler = scheduler;
    this.trace = trace;
    this.seed = seed;
    this.settings = settings;
    this.groups = groups;
  }

  private enum State {
    EMPTY,
    ONGOING,
    COMMITTED,
    ABORTED
  }

  /// What is known of a transactional id.
  private static final class Id {
    final String name;
    long producerId;
    int epoch;

    /// Whom the current epoch was given to in return; a repeated request of theirs is answered
    /// again.
    @Nullable WriterId before;

    State state = State.EMPTY;
    Duration timeout = Duration.ZERO;
    int markersLeft;
    TreeMap<Split, ModelPartition> partitions = new TreeMap<>();
    List<Groups.Pending> positions = new ArrayList<>();
    Scheduler.@Nullable Event expiry;

    Id(String name, long producerId) {
      this.name = name;
      this.producerId = producerId;
    }

    WriterId writer() {
      return new WriterId(name, producerId, epoch);
    }
  }

  /// The ids that start with a prefix, in order.
  List<String> ids(String prefix) {
    return ids.keySet().stream().filter(id -> id.startsWith(prefix)).toList();
  }

  /// Whether the id has a transaction that is not decided.
  boolean isOngoing(String transactionalId) {
    Id id = ids.get(transactionalId);
    return id != null && id.state == State.ONGOING;
  }

  /// Gives an id to a new writer and fences all others.
  ///
  /// @param expected who the writer was so far; if another one came in between, it gets nothing
  /// @return null if another one came in between
  @Nullable WriterId init(String name, @Nullable WriterId expected, Duration timeout) {
    if (timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new LogException(
          Kind.REFUSED,
          "A transaction may take at most " + LONGEST_TIMEOUT + " in this log, not " + timeout);
    }
    Id id = ids.get(name);
    if (id == null) {
      id = new Id(name, nextProducerId++);
      ids.put(name, id);
    } else {
      if (expected != null && !expected.equals(id.writer()) && !expected.equals(id.before)) {
        return null;
      }
      if (id.state == State.ONGOING) {
        decide(id, false);
      }
      bump(id);
    }
    id.state = State.EMPTY;
    id.before = expected;
    id.timeout = timeout;
    trace.add("open", name, id.producerId, id.epoch);
    return id.writer();
  }

  /// A producer id that no transactional id has.
  long strangeProducerId() {
    return nextProducerId++;
  }

  /// Bars the writer of an id.
  void fence(String name) {
    init(name, null, Duration.ZERO);
  }

  /// Takes a partition into a writer's transaction, which begins if it was not open.
  Answer admit(WriterId writer, ModelPartition partition) {
    Answer answer = begin(writer);
    if (answer.code() == Answer.Code.OK) {
      id(writer).partitions.put(partition.split, partition);
    }
    return answer;
  }

  /// Takes positions of a group into a writer's transaction, which begins if it was not open.
  Answer addPositions(WriterId writer, String group, Map<Split, Long> positions) {
    Answer answer = begin(writer);
    if (answer.code() == Answer.Code.OK) {
      id(writer).positions.add(groups.receive(group, positions));
    }
    return answer;
  }

  private Answer begin(WriterId writer) {
    Id id = id(writer);
    if (!writer.equals(id.writer())) {
      return fencedBy(id, writer);
    }
    if (id.markersLeft > 0) {
      return Answer.RETRY;
    }
    if (id.state != State.ONGOING) {
      id.state = State.ONGOING;
      id.expiry = scheduler.after(id.timeout, () -> expire(id));
      trace.add("begin", id.name, id.producerId, id.epoch);
    }
    return Answer.DONE;
  }

  private void expire(Id id) {
    trace.add("expire", id.name, id.producerId, id.epoch);
    decide(id, false);
    bump(id);
    id.before = null;
  }

  /// Decides a writer's transaction.
  Ended end(WriterId writer, boolean commit) {
    Id id = id(writer);
    State wanted = commit ? State.COMMITTED : State.ABORTED;
    if (writer.equals(id.writer())) {
      if (commit && id.state != State.ONGOING) {
        return new Ended(
            Answer.failed("The transaction was not open when it was committed."), writer);
      }
      if (id.markersLeft > 0) {
        return new Ended(Answer.RETRY, writer);
      }
      decide(id, commit);
      bump(id);
      id.before = writer;
      return new Ended(Answer.DONE, id.writer());
    }
    if (writer.equals(id.before) && id.state == wanted) {
      return new Ended(Answer.DONE, id.writer());
    }
    return new Ended(fencedBy(id, writer), writer);
  }

  /// @param next who the writer is from now on
  record Ended(Answer answer, WriterId next) {}

  private void decide(Id id, boolean commit) {
    trace.add(commit ? "decide commit" : "decide abort", id.name, id.producerId, id.epoch);
    if (id.expiry != null) {
      id.expiry.cancel();
      id.expiry = null;
    }
    id.state = commit ? State.COMMITTED : State.ABORTED;
    WriterId marked = new WriterId(id.name, id.producerId, id.epoch + 1);
    List<Runnable> markers = new ArrayList<>();
    for (ModelPartition partition : id.partitions.values()) {
      markers.add(() -> partition.end(marked.producerId(), marked.epoch(), commit));
    }
    List<Groups.Pending> positions = id.positions;
    if (!positions.isEmpty()) {
      markers.add(() -> groups.commit(commit ? positions : List.of()));
    }
    id.partitions = new TreeMap<>();
    id.positions = new ArrayList<>();
    id.markersLeft += markers.size();
    for (Runnable marker : markers) {
      Duration delay = settings.markers().draw(seed);
      Runnable write =
          () -> {
            marker.run();
            id.markersLeft--;
          };
      if (delay.isZero()) {
        write.run();
      } else {
        scheduler.after(delay, write);
      }
    }
  }

  private void bump(Id id) {
    if (id.epoch + 2 >= settings.epochs()) {
      id.producerId = nextProducerId++;
      id.epoch = 0;
    } else {
      id.epoch++;
    }
  }

  private Id id(WriterId writer) {
    Id id = ids.get(writer.transactionalId());
    if (id == null) {
      throw new IllegalStateException("Nobody ever opened " + writer + ".");
    }
    return id;
  }

  private static Answer fencedBy(Id id, WriterId writer) {
    return Answer.fenced(
        "Writer "
            + writer
            + " was fenced: the log knows "
            + id.writer()
            + ". Another writer took over, or the transaction took longer than "
            + id.timeout
            + ".");
  }
}
