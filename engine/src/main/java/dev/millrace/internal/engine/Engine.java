package dev.millrace.internal.engine;

import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.chain.Chains;
import dev.millrace.internal.engine.chain.Measured;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.chain.SinkTopic;
import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.commit.GroupSettings;
import dev.millrace.internal.engine.commit.HeldTask;
import dev.millrace.internal.engine.commit.JobIdentity;
import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Protocol;
import dev.millrace.internal.engine.exchange.DirectExchanges;
import dev.millrace.internal.engine.input.Alignment;
import dev.millrace.internal.engine.input.ReadExchanges;
import dev.millrace.internal.engine.loop.Assignment;
import dev.millrace.internal.engine.loop.Worker;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.operators.rows.LateRows;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.query.CommittedStore;
import dev.millrace.internal.engine.query.Question;
import dev.millrace.internal.engine.recovery.DurableState;
import dev.millrace.internal.engine.recovery.Follower;
import dev.millrace.internal.engine.recovery.ShareOfState;
import dev.millrace.internal.engine.recovery.Snapshots;
import dev.millrace.internal.engine.recovery.StateOpening;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.settings.TaskShare;
import dev.millrace.internal.engine.sources.InputPartitions;
import dev.millrace.internal.engine.sources.ReadPartitions;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.spi.job.LateRecords;
import dev.millrace.spi.job.QueryException;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.Guarantee;
import dev.millrace.spi.settings.OnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The part of a job that runs in one container, ready to be stepped: the door of the engine.
///
/// The engine starts no thread. Its owner gives each of [#workers] a thread of its own, or steps
/// them in turn in one thread.
public final class Engine {
  private final List<Worker> workers = new ArrayList<>();
  private final List<CommitGroup> groups = new ArrayList<>();
  private final ReadExchanges readExchanges = new ReadExchanges();
  private final Log log;
  private final Plan plan;
  private final InputPartitions inputPartitions;
  private final List<Measured> operators;
  private final @Nullable Follower follower;
  private final TaskPlaces taskPlaces;
  private final TaskShare share;

  /// Prepares a container's part of a job. Topics must exist; see [Topics].
  public Engine(
      Plan plan,
      Placement placement,
      EngineSettings settings,
      MemoryLimits limits,
      Surroundings surroundings) {
    ErrorConfig errors = errors(placement, settings.errors());
    log = surroundings.log();
    this.plan = plan;
    Map<String, Log.TopicInfo> topics = log.topics(Topics.names(plan, errors));
    ReadPartitions partitions = partitions(plan, topics);
    inputPartitions =
        new InputPartitions(log, surroundings.sources(), plan, partitions, sinks(plan, topics));
    JobIdentity identity = identity(topic(topics, plan.changelogTopic()));
    List<List<Plan.TaskId>> tasks = placement.tasks(plan);
    Chains chains = chains(topics, errors, surroundings.clock());
    operators = chains.operators();
    DirectExchanges direct = new DirectExchanges(plan, placement, limits.outboxBytes());
    MemoryLimits ofWorker = limits.withOutboxBytes(direct.otherBytes(limits.outboxBytes()));
    share = new TaskShare(limits.ofTask());
    follower = placement.mayChange() ? follower(placement, identity, settings, surroundings) : null;
    Alignment alignment = alignment(settings, tasks.size());
    @Nullable CommitGroup shared = null;
    List<TaskPlaces.Place> places = new ArrayList<>();
    for (int worker = 0; worker < tasks.size(); worker++) {
      if (tasks.get(worker).isEmpty() && !placement.mayChange()) {
        continue;
      }
      CommitGroup led = null;
      if (shared == null || !placement.oneGroup()) {
        led = group(placement, settings, surroundings, worker, tasks);
        shared = led;
      }
      Mailbox member = shared.join();
      Worker made =
          Worker.create(
              new Assignment(
                  worker,
                  chains.ofWorker(),
                  settings,
                  ofWorker,
                  share,
                  identity,
                  transactionalId(placement, worker),
                  tasks.get(worker),
                  partitions,
                  alignment,
                  follower),
              surroundings,
              outbox(ofWorker.outboxBytes(), errors, topics),
              direct.port(worker),
              readExchanges,
              member,
              led);
      leads(made, led);
      workers.add(made);
      places.add(new TaskPlaces.Place(shared, member));
    }
    taskPlaces = new TaskPlaces(places);
  }

  private void leads(Worker worker, @Nullable CommitGroup led) {
    if (led != null) {
      groups.add(led);
      led.wakeup(worker::wakeup);
    }
  }

  private static ReadPartitions partitions(Plan plan, Map<String, Log.TopicInfo> topics) {
    ReadPartitions partitions = new ReadPartitions(plan);
    topics.forEach((name, topic) -> partitions.add(name, topic.partitions()));
    return partitions;
  }

  private Chains chains(Map<String, Log.TopicInfo> topics, ErrorConfig errors, Clock clock) {
    return new Chains(
        plan,
        sink -> SinkTopic.of(topic(topics, sink)),
        new ChosenTopics(plan, errors, log, clock, inputPartitions),
        clock);
  }

  private Alignment alignment(EngineSettings settings, int workers) {
    return new Alignment(settings.input().alignment(), workers, plan.stageBound());
  }

  private String transactionalId(Placement placement, int worker) {
    return placement.transactionalId(plan.storage(), placement.oneGroup() ? 0 : worker);
  }

  private Follower follower(
      Placement placement,
      JobIdentity identity,
      EngineSettings settings,
      Surroundings surroundings) {
    Clock clock = surroundings.clock();
    Disks disks = surroundings.disks();
    StateOpening opening =
        new StateOpening(
            log,
            plan,
            new DurableState.Shared(identity, clock, settings.state().flushInterval()),
            disks,
            new Snapshots(plan.storage(), identity, clock, disks, surroundings.snapshots()),
            share);
    return new Follower(
        plan, opening, share, log, clock, claims(), placement.transactionalIds(plan.storage()));
  }

  private Split claims() {
    return new Split(plan.claimsTopic(), 0);
  }

  private JobIdentity identity(Log.TopicInfo changelog) {
    return new JobIdentity(
        log.clusterId(),
        changelog.id(),
        Duration.ofMillis(
            Long.parseLong(changelog.settings().getOrDefault("delete.retention.ms", "86400000"))));
  }

  /// Returns an outbox that knows the application's own topics, and how large a dead letter may be.
  private Outbox outbox(long bytes, ErrorConfig errors, Map<String, Log.TopicInfo> topics) {
    Outbox outbox = new Outbox(plan.changelogTopic(), bytes);
    Topics.internal(plan, errors).forEach(outbox::add);
    if (errors.onError() == OnError.DEAD_LETTER) {
      String letters = errors.deadLetterTopic();
      outbox.limit(letters, SinkTopic.of(topic(topics, letters)).recordBytes());
    }
    return outbox;
  }

  /// The partitions of the topics that results go to.
  private static Map<String, Integer> sinks(Plan plan, Map<String, Log.TopicInfo> topics) {
    Map<String, Integer> sinks = new LinkedHashMap<>();
    Topics.sinks(plan).forEach(sink -> sinks.put(sink, topic(topics, sink).partitions()));
    return sinks;
  }

  /// To pass over a record, it must have a place that it keeps when everything goes back to the
  /// last commit; what comes through memory has none.
  private static ErrorConfig errors(Placement placement, ErrorConfig errors) {
    if (placement.groups() == Placement.Groups.DIRECT && errors.onError() != OnError.FAIL) {
      throw new IllegalArgumentException(
          "Exchanges through memory need errors.on-error: fail; found " + errors.onError());
    }
    return errors;
  }

  private static Log.TopicInfo topic(Map<String, Log.TopicInfo> topics, String name) {
    Log.TopicInfo info = topics.get(name);
    if (info == null) {
      throw new LogException(LogException.Kind.MISSING, "Topic '" + name + "' does not exist.");
    }
    return info;
  }

  private CommitGroup group(
      Placement placement,
      EngineSettings settings,
      Surroundings surroundings,
      int worker,
      List<List<Plan.TaskId>> tasks) {
    String application = plan.storage();
    Stream<Plan.TaskId> ofGroup =
        placement.oneGroup() ? tasks.stream().flatMap(List::stream) : tasks.get(worker).stream();
    return new CommitGroup(
        new GroupSettings(
            application,
            transactionalId(placement, worker),
            Placement.idPrefix(application),
            claims(),
            plan.changelogTopic(),
            ofGroup.map(Plan.TaskId::number).toList(),
            placement.version(),
            worker == 0 ? placement.former(application) : _ -> false,
            follower,
            settings.commit().guarantee() == Guarantee.AT_LEAST_ONCE
                ? Topics.ofResults(plan, settings.errors())
                : _ -> false,
            settings.commit()),
        surroundings.log(),
        surroundings.clock());
  }

  /// Each of them belongs to one thread.
  public List<Worker> workers() {
    return workers;
  }

  /// Returns what replays the tasks that come to this container, to be given a thread of its own;
  /// null if its tasks are always the same.
  public @Nullable Follower follower() {
    return follower;
  }

  /// Lets a task come to this container, while others go on. Thread-safe.
  ///
  /// @param task its number
  /// @param version of the decision that says so; later decisions have higher ones
  /// @param force whether those that write for it are barred; else it is waited for until they have
  ///   let go of it
  public void take(int task, long version, boolean force) {
    taskPlaces.take(task, version, force);
  }

  /// Gives a task away with the next commit, or lets it not come any more. Thread-safe.
  public void give(int task) {
    taskPlaces.give(task);
  }

  /// Takes in that there is a task that is split off from another one, or will be. Thread-safe.
  ///
  /// @throws IllegalStateException if the plan has a task of that number itself
  public void knows(int part, int parent) {
    if (part < plan.slots()) {
      throw new IllegalStateException(
          "Task %d of '%s' was split off from task %d, but the program that this process runs has a task of that number itself. Run the version before; one with more tasks cannot go on where tasks were split."
              .formatted(part, plan.application(), parent));
    }
    plan.splits().add(part, parent);
  }

  /// Returns why a task cannot be split, in words for people; empty if it can. Thread-safe.
  ///
  /// @param number of the task
  public String whyNotSplit(int number) {
    return ShareOfState.whyNotSplit(plan, plan.task(number));
  }

  /// Adds a partition to the changelog, for a task that is to be split off from another one. Waits
  /// for the log. Thread-safe.
  ///
  /// @param least the lowest number that the task may have
  /// @return the number of the task
  public int addTask(int least) {
    Log.TopicInfo changelog =
        topic(log.topics(List.of(plan.changelogTopic())), plan.changelogTopic());
    int number = Math.max(least, Math.max(plan.slots(), changelog.partitions()));
    log.addPartitions(changelog.name(), number + 1);
    return number;
  }

  /// Splits a task of this container in two with the next commit: it keeps half of its keys, and
  /// another task gets the others, with their state. Does nothing if the task is not here or was
  /// split so already. Thread-safe.
  ///
  /// @param task its number
  /// @param part the number of the other task, which the plan [knows][Plan#splits]
  public void split(int task, int part) {
    taskPlaces.split(task, part);
  }

  /// Divides the memory anew: sets what each task may use from now on. Thread-safe.
  public void share(StateLimits ofTask) {
    share.limits(ofTask);
  }

  /// Returns the tasks of this container by their numbers, those that come too. Thread-safe.
  public SortedMap<Integer, HeldTask> held() {
    return taskPlaces.held();
  }

  /// The commit groups of this container; their thread-safe methods may be called by anyone.
  public List<CommitGroup> groups() {
    return groups;
  }

  /// Deletes records of exchanges that were read, which would otherwise be kept for ever; to be
  /// called now and then. Waits for the log. Thread-safe.
  public void purge() {
    readExchanges.deleteFrom(log);
  }

  /// Tells whether topics have got other partitions; to be asked now and then.
  public InputPartitions inputPartitions() {
    return inputPartitions;
  }

  /// Asks for a last commit and the end. Thread-safe.
  public void stop() {
    groups.forEach(CommitGroup::requestStop);
    workers.forEach(Worker::wakeup);
  }

  /// Lets go at once of everything that is still held, without a commit. No worker may be stepped
  /// any more, by any thread.
  public void abandon() {
    workers.forEach(Worker::abandon);
    if (follower != null) {
      follower.close();
    }
  }

  /// Whether every group and worker has come to its end. Thread-safe.
  public boolean finished() {
    return workers.stream().allMatch(Worker::closed);
  }

  /// Whether all tasks have begun, and everything that could have kept them from it was looked at.
  /// Thread-safe.
  public boolean settled() {
    return hasBegunAll()
        && workers.stream().map(Worker::workerMetrics).allMatch(WorkerMetrics::settled)
        && groups.stream()
            .map(CommitGroup::state)
            .noneMatch(each ->
                each == Protocol.State.FENCING
                    || each == Protocol.State.RESTORING
                    || each == Protocol.State.FAILED);
  }

  /// Whether each task that a group has is with a worker; if it has just come, that says that it is
  /// not settled yet.
  private boolean hasBegunAll() {
    Set<Integer> begun = new HashSet<>();
    taskMetrics().keySet().forEach(task -> begun.add(task.number()));
    return held().entrySet().stream()
        .allMatch(each ->
            each.getValue().stage() != HeldTask.Stage.OWNED || begun.contains(each.getKey()));
  }

  /// Why the job could not go on; null if nothing is wrong. Thread-safe.
  public @Nullable Failure failure() {
    for (CommitGroup group : groups) {
      if (group.state() == Protocol.State.FAILED) {
        return Objects.requireNonNull(group.failure());
      }
    }
    return null;
  }

  /// Whether the inputs have come to their end and all that followed from them is committed.
  /// Thread-safe.
  public boolean completed() {
    return groups.stream().allMatch(CommitGroup::completed);
  }

  /// What is committed of a store in the tasks of this container. Thread-safe.
  ///
  /// @throws dev.millrace.spi.job.QueryException if there is no such store, or it has other formats
  public <K, V> CommittedStore<K, V> store(String name, Serde<K> keys, Serde<V> values) {
    return CommittedStore.of(plan, name, keys, values, new Asked());
  }

  /// What is committed of the late records of an operator with windows, by the start of the window
  /// in milliseconds since 1970, in the tasks of this container. Thread-safe.
  ///
  /// @throws dev.millrace.spi.job.QueryException if there is no such operator
  public CommittedStore<Long, LateRecords> late(String operator) {
    return store(LateRows.storeName(operator), LateRows.WINDOWS, LateRows.COUNTS);
  }

  private final class Asked implements CommittedStore.Asked {
    @Override
    public void ask(Question question) {
      Worker owner = owner(question.task());
      if (owner != null) {
        owner.ask(question);
      } else if (question.oldest() != null && copies(question.task())) {
        Objects.requireNonNull(follower).ask(question);
      } else {
        throw new QueryException(
            "Task %s runs in another container of '%s'%s. Ask that container."
                .formatted(
                    question.task(),
                    plan.application(),
                    question.oldest() == null ? "" : ", and this one keeps no copy of it"));
      }
    }

    @Override
    public boolean copies(Plan.TaskId task) {
      Follower copying = follower;
      return copying != null && copying.following().containsKey(task.number());
    }

    @Override
    public boolean owns(Plan.TaskId task) {
      return owner(task) != null;
    }

    private @Nullable Worker owner(Plan.TaskId task) {
      for (Worker worker : workers) {
        if (worker.metrics().containsKey(task)) {
          return worker;
        }
      }
      return null;
    }
  }

  /// Counters by task. Thread-safe.
  public Map<Plan.TaskId, TaskMetrics> taskMetrics() {
    Map<Plan.TaskId, TaskMetrics> all = new LinkedHashMap<>();
    workers.forEach(worker -> all.putAll(worker.metrics()));
    return all;
  }

  /// Returns the names of all stores, parked ones included, by number. Thread-safe.
  public SortedMap<Integer, String> storeNames() {
    return plan.description().storeNames();
  }

  /// The operators that the [Worker#probe]s of its workers tell of, in the plan's order.
  public List<Measured> operators() {
    return operators;
  }

  /// Gauges and counters of each worker. Thread-safe.
  public List<WorkerMetrics> workerMetrics() {
    return workers.stream().map(Worker::workerMetrics).toList();
  }
}
