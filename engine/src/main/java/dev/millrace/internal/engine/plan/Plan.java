package dev.millrace.internal.engine.plan;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.connector.Start;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.Renames;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.SizeLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What runs: stages, cut at the exchanges, and their tasks.
///
/// The numbers of stages, tasks and stores are for ever ([Numbering]): what an earlier plan had
/// keeps them, so they may have gaps, and a stage that was added later may feed one with a smaller
/// number. A task's number is also its partition of the changelog.
///
/// @param application its name
/// @param storage what its topics, transactional ids, directories and snapshots are named after
/// @param description of all that gives state its meaning
/// @param version a fingerprint of that
/// @param splits the numbers of tasks that were given, and the tasks that were split off since,
///   which change while a job runs
/// @param stages in an order in which each stands after those that feed it
/// @param followed the plans whose state this one goes on from
/// @param renames what was called otherwise in earlier versions of the application
/// @param sizes which are no part of that
/// @param starts where splits begin that were never read, as a person has said; before what their
///   sources and the settings say
/// @param written how values are written while an older plan may have to read them
public record Plan(
    String application,
    String storage,
    PlanDescription description,
    long version,
    SplitTasks splits,
    List<Stage> stages,
    List<Exchange> exchanges,
    FollowedPlans followed,
    Renames renames,
    SizeLimits sizes,
    Map<Split, Long> starts,
    WrittenFormats written) {

  /// Returns the same plan, which writes its values so that an older one can read them.
  public Plan writingFor(PlanDescription older) {
    return with(application, followed, sizes, starts, WrittenFormats.of(this, older));
  }

  /// The same plan, with splits that begin where a person has said.
  public Plan withStarts(Map<Split, Long> newStarts) {
    return with(application, followed, sizes, newStarts, written);
  }

  /// Returns the same plan, which goes on from the state of others.
  ///
  /// @param versions of plans
  public Plan after(Set<Long> versions) {
    return with(application, followed.after(versions), sizes, starts, written);
  }

  /// Returns the same plan, which knows how to ask what is rolled out while it runs.
  ///
  /// @param recorded whether the plan of a version is being rolled out in place of this one, so
  ///   that it writes what this one can read; it may wait for the log
  public Plan before(LongPredicate recorded) {
    return with(application, followed.before(recorded), sizes, starts, written);
  }

  /// Returns whether the plan goes on from what a plan of a version has committed.
  ///
  /// @throws dev.millrace.spi.LogException if that has to be asked, and the log cannot tell
  public boolean follows(long other) {
    return other == version || followed.has(other);
  }

  /// The same plan with other limits.
  ///
  /// @throws InvalidTopologyException if they name a store or an exchange that it does not have
  public Plan withSizes(SizeLimits newSizes) {
    requireNames(
        "stores",
        newSizes.stores().keySet(),
        stores()
            .flatMap(store -> Stream.of(store.owner().name(), store.spec().name()))
            .distinct()
            .toList());
    requireNames(
        "exchanges",
        newSizes.exchanges().keySet(),
        exchanges.stream().map(exchange -> exchange.node().name()).toList());
    return with(application, followed, newSizes, starts, written);
  }

  /// Returns the same plan, of an application that was renamed.
  ///
  /// @throws InvalidTopologyException if a result goes to a topic that has to do with the name
  public Plan named(String newName) {
    Planner.requireForeignSinks(newName, stages.stream().flatMap(stage -> stage.nodes().stream()));
    return with(newName, followed, sizes, starts, written);
  }

  private Plan with(
      String newName,
      FollowedPlans newFollowed,
      SizeLimits newSizes,
      Map<Split, Long> newStarts,
      WrittenFormats newWritten) {
    return new Plan(
        newName,
        storage,
        description,
        version,
        splits,
        stages,
        exchanges,
        newFollowed,
        renames,
        newSizes,
        newStarts,
        newWritten);
  }

  private void requireNames(String what, Set<String> named, List<String> known) {
    for (String name : named) {
      if (!known.contains(name)) {
        throw new InvalidTopologyException(
            "A size is set for '%s', which is not one of the %s of '%s': %s."
                .formatted(
                    name,
                    what,
                    application,
                    known.isEmpty() ? "it has none" : String.join(", ", known)));
      }
    }
  }

  /// Returns how many numbers of tasks it gives, those of parked stages included: as many
  /// partitions the changelog has, unless tasks were split.
  public int slots() {
    return splits.planned();
  }

  /// Of all stages.
  public Stream<Store> stores() {
    return stages.stream().flatMap(stage -> stage.stores().stream());
  }

  /// Returns the tasks, in order of their numbers, those that were split off so far included.
  public List<TaskId> tasks() {
    List<TaskId> tasks = new ArrayList<>();
    for (Stage stage : stages) {
      for (int partition = 0; partition < stage.partitions(); partition++) {
        tasks.add(new TaskId(stage.firstTask() + partition, stage.index(), partition));
      }
    }
    for (int number : splits.parents().keySet()) {
      TaskId part = find(number);
      if (part != null) {
        tasks.add(part);
      }
    }
    tasks.sort(Comparator.comparingInt(TaskId::number));
    return tasks;
  }

  /// Returns the task with a number.
  ///
  /// @throws IndexOutOfBoundsException if there is none
  public TaskId task(int number) {
    TaskId found = find(number);
    if (found == null) {
      throw new IndexOutOfBoundsException("There is no task " + number + " among " + tasks() + ".");
    }
    return found;
  }

  private @Nullable TaskId find(int number) {
    Integer parent = splits.parents().get(number);
    if (parent != null) {
      TaskId of = find(parent);
      return of == null ? null : new TaskId(number, of.stage(), of.partition(), true);
    }
    for (Stage stage : stages) {
      int partition = number - stage.firstTask();
      if (partition >= 0 && partition < stage.partitions()) {
        return new TaskId(number, stage.index(), partition);
      }
    }
    return null;
  }

  /// Returns which of the tasks of its stage a task is: those of the plan first, by their
  /// partitions, then those that were split off, one after the other.
  public int indexInStage(TaskId task) {
    if (!task.isPart()) {
      return task.partition();
    }
    int index = stage(task.stage()).partitions();
    for (int number : splits.parents().headMap(task.number()).keySet()) {
      TaskId part = find(number);
      index += part != null && part.stage() == task.stage() ? 1 : 0;
    }
    return index;
  }

  /// Returns whether its tasks can read streams that have these partitions now.
  boolean canRead(Map<String, Integer> now) {
    for (Stage stage : stages) {
      for (Input input : stage.inputs()) {
        if (input.exchange() == null
            && !stage.canRead(
                input, input.partitions(), now.getOrDefault(input.stream(), input.partitions()))) {
          return false;
        }
      }
    }
    return true;
  }

  /// Returns the stage with an index.
  ///
  /// @throws IndexOutOfBoundsException if there is none
  public Stage stage(int index) {
    for (Stage stage : stages) {
      if (stage.index() == index) {
        return stage;
      }
    }
    throw new IndexOutOfBoundsException("There is no stage " + index + ".");
  }

  /// Returns the exchange that goes through a topic.
  ///
  /// @throws IllegalArgumentException if there is none
  public Exchange exchange(String topic) {
    for (Exchange exchange : exchanges) {
      if (exchange.topic().equals(topic)) {
        return exchange;
      }
    }
    throw new IllegalArgumentException("No exchange goes through topic '" + topic + "'.");
  }

  /// Returns a number that is larger than the index of each stage.
  public int stageBound() {
    return stages.stream().mapToInt(Stage::index).max().orElse(-1) + 1;
  }

  /// The streams that are read by every task of a stage.
  public Set<String> broadcasts() {
    Set<String> streams = new TreeSet<>();
    for (Stage stage : stages) {
      stage.inputs().stream().filter(Input::broadcast).map(Input::stream).forEach(streams::add);
    }
    return streams;
  }

  public String changelogTopic() {
    return changelogTopic(storage);
  }

  /// The changelog of an application, whatever its plan.
  public static String changelogTopic(String application) {
    return application + "-changelog";
  }

  /// The topic that says who writes for which task.
  public String claimsTopic() {
    return claimsTopic(storage);
  }

  /// The topic that says who writes for which task of an application, whatever its plan.
  public static String claimsTopic(String application) {
    return application + "-claims";
  }

  /// The topic with the decisions about which process owns which task of an application.
  public static String placementTopic(String application) {
    return application + "-placement";
  }

  /// The topic with the signs of life of an application's processes.
  public static String membersTopic(String application) {
    return application + "-members";
  }

  /// The part of a topology between exchanges.
  ///
  /// @param index its number
  /// @param partitions how many tasks it has
  /// @param firstTask the number of its task 0
  /// @param nodes every node of the stage, those that feed others first; an [Node.Exchange] stands
  ///   in the stage that feeds it
  /// @param stores those of the stage, in order of their numbers
  public record Stage(
      int index,
      int partitions,
      int firstTask,
      List<Input> inputs,
      List<Node> nodes,
      List<Store> stores) {

    /// Returns whether the tasks of the stage can read an input with more partitions than before.
    /// Where they keep state by keys that the stream is said to be partitioned by, they can read a
    /// multiple: each task has the partitions with its keys then, and those of a new one all come
    /// from one.
    ///
    /// @param before how many partitions of it they have read
    /// @param now how many it has
    public boolean canRead(Input input, int before, int now) {
      boolean keyed =
          !input.broadcast()
              && !stores.isEmpty()
              && input.heads().stream()
                  .anyMatch(head -> head instanceof Node.Input source && source.keyed());
      return now >= before && (!keyed || now % before == 0);
    }
  }

  /// A stream that a stage reads; task i reads partition i of it, if it has that many, and all
  /// partitions of a broadcast table.
  ///
  /// @param stream a topic or another source
  /// @param partitions how many it had when it was planned first; others may have been added since,
  ///   and change no plan
  /// @param heads the nodes that get its records: the [Node.Input]s of that stream, or the
  ///   [Node.Exchange]
  /// @param exchange null for a source
  public record Input(
      String stream, int partitions, List<Node> heads, @Nullable Exchange exchange) {

    /// Whether each task reads all partitions.
    public boolean broadcast() {
      return heads.stream().anyMatch(Node::broadcast);
    }

    /// Whether it is read as a table only.
    public boolean table() {
      return heads.stream().allMatch(head -> head instanceof Node.Input input && input.table());
    }

    /// Where it is read from the first time; null if none of its readers says so.
    public @Nullable Start start() {
      for (Node head : heads) {
        if (head instanceof Node.Input input && input.start() != null) {
          return input.start();
        }
      }
      return null;
    }

    /// The largest disorder among the sources that read the stream; 0 where these tell their
    /// watermark themselves.
    public long disorderMillis() {
      long most = 0;
      for (Node head : heads) {
        if (head instanceof Node.Input input && input.source().watermark() == null) {
          most = Math.max(most, input.source().disorder().toMillis());
        }
      }
      return most;
    }

    /// How far ahead of the clock event time may be, the least that one of the sources allows.
    public long maxAheadMillis() {
      long least = Long.MAX_VALUE;
      for (Node head : heads) {
        if (head instanceof Node.Input input) {
          least = Math.min(least, input.source().maxAhead().toMillis());
        }
      }
      return least;
    }
  }

  /// A topic between two stages.
  ///
  /// @param partitions as many as the receiving stage has
  /// @param format a fingerprint of its partitions and of what its keys are: of another one,
  ///   nothing that is under way can be read. Values evolve
  public record Exchange(
      String topic, int fromStage, int toStage, int partitions, long format, Node.Exchange node) {}

  /// Returns the largest value of a store.
  public int largestValue(Store store) {
    return sizes.ofValues(store.spec().name(), store.owner().name());
  }

  /// A store and its number in the changelog's keys, from 1, unique in the application.
  public record Store(int number, StoreSpec<?, ?> spec, Node.Stateful owner) {
    /// Returns whether earlier versions of its serde may have written values.
    public boolean hasEarlierVersions() {
      return ValueVersions.hasEarlier(spec.valueSerde().schema());
    }
  }

  /// A task by its numbers.
  ///
  /// @param number among all tasks of the application
  /// @param partition of every stream the task reads
  /// @param isPart whether it was split off from another one
  public record TaskId(int number, int stage, int partition, boolean isPart) {
    public TaskId(int number, int stage, int partition) {
      this(number, stage, partition, false);
    }

    /// The stage and the partition, such as `1-3`; of a part with its number, such as `1-3-57`.
    @Override
    public String toString() {
      return stage + "-" + partition + (isPart ? "-" + number : "");
    }
  }
}
