package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.CommitCause;
import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.GroupMetrics;
import dev.millrace.internal.engine.metrics.FlushCause;
import dev.millrace.internal.engine.metrics.LatencyHistogram;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Counters and gauges of a job. Thread-safe; reading them costs the job nothing.
public final class JobMetrics {
  private static final double MILLIS = 1e3;
  private static final double NANOS = 1e9;
  private static final long SAMPLE_NANOS = 1_000_000_000;

  private record OfGroups(
      String name, Kind kind, String help, Function<GroupMetrics, Double> value) {}

  private static final List<OfGroups> GROUPS =
      List.of(
          new OfGroups(
              "millrace_commits_total",
              Kind.COUNTER,
              "Acknowledged commits.",
              group -> (double) group.commits()),
          new OfGroups(
              "millrace_interval_commits_total",
              Kind.COUNTER,
              "Commits begun because commit.interval had passed.",
              group -> (double) group.begunFor(CommitCause.INTERVAL)),
          new OfGroups(
              "millrace_outbox_commits_total",
              Kind.COUNTER,
              "Commits begun because batches waited for one after a failed commit.",
              group -> (double) group.begunFor(CommitCause.OUTBOX)),
          new OfGroups(
              "millrace_live_state_commits_total",
              Kind.COUNTER,
              "Commits begun because changed state had reached its share of memory.",
              group -> (double) group.begunFor(CommitCause.LIVE_STATE)),
          new OfGroups(
              "millrace_unconfirmed_commits_total",
              Kind.COUNTER,
              "Commits that were aborted or whose outcome is unknown.",
              group -> (double) group.unconfirmedCommits()),
          new OfGroups(
              "millrace_sent_records_total",
              Kind.COUNTER,
              "Records sent to Kafka, including commit records and the changelog.",
              group -> (double) group.recordsSent()),
          new OfGroups(
              "millrace_sent_early_records_total",
              Kind.COUNTER,
              "Records that were sent to Kafka before their commit began.",
              group -> (double) group.recordsSentEarly()),
          new OfGroups(
              "millrace_commit_seconds_total",
              Kind.COUNTER,
              "Total time of commits.",
              group -> group.commitDurationNanos() / NANOS),
          new OfGroups(
              "millrace_last_commit_seconds",
              Kind.GAUGE,
              "Time of the last commit, from its barrier to its acknowledgement.",
              group -> group.lastCommitDurationNanos() / NANOS));

  /// Metrics of the whole job.
  private record OfJob(
      String name, Kind kind, String help, Function<JobMetrics, Optional<Double>> value) {}

  private static final List<OfJob> JOB =
      List.of(
          new OfJob(
              "millrace_records_per_second",
              Kind.GAUGE,
              "Records read by all tasks a second, over about the last second.",
              job -> Optional.of(job.recordsPerSecond())),
          new OfJob(
              "millrace_input_to_commit_p50_seconds",
              Kind.GAUGE,
              "Median time from a record's timestamp in the log to its commit, since the start.",
              job -> job.inputToCommit(0.5).map(time -> time.toMillis() / MILLIS)),
          new OfJob(
              "millrace_input_to_commit_p99_seconds",
              Kind.GAUGE,
              "99th percentile of the time from a record's timestamp in the log to its commit,"
                  + " since the start.",
              job -> job.inputToCommit(0.99).map(time -> time.toMillis() / MILLIS)),
          new OfJob(
              "millrace_state_disk_bytes",
              Kind.GAUGE,
              "Size of the local state on disk.",
              job -> Optional.of((double) job.diskBytes.getAsLong())),
          new OfJob(
              "millrace_waits_for_space",
              Kind.GAUGE,
              "1 while the disk is full and state waits in memory for space.",
              job -> Optional.of(job.waitsForSpace() ? 1.0 : 0.0)),
          new OfJob(
              "millrace_predicted_recovery_seconds",
              Kind.GAUGE,
              "Predicted time of a recovery if the process were killed now, without the start of"
                  + " the JVM.",
              job -> Optional.of(job.predictedRecovery().toNanos() / NANOS)),
          new OfJob(
              "millrace_restore_left_seconds",
              Kind.GAUGE,
              "Predicted time left of the restore under way; 0 if none is, absent if unknown.",
              job -> job.restoreLeft().map(left -> left.toNanos() / NANOS)),
          new OfJob(
              "millrace_last_restore_seconds",
              Kind.GAUGE,
              "Time of the last replay of changelogs.",
              job -> Optional.of(job.lastRestore().toNanos() / NANOS)),
          new OfJob(
              "millrace_flushes_total",
              Kind.COUNTER,
              "Flushes of a task's state to disk.",
              job -> Optional.of((double) job.flushes())),
          new OfJob(
              "millrace_flush_seconds_total",
              Kind.COUNTER,
              "Total time of flushes.",
              job -> Optional.of(job.sum(WorkerMetrics::flushDurationNanos) / NANOS)),
          new OfJob(
              "millrace_longest_pause_seconds",
              Kind.GAUGE,
              "Longest time since the start that commits, flushes or windows kept a worker from"
                  + " processing records.",
              job -> job.pause(1).map(time -> time.toMillis() / MILLIS)),
          new OfJob(
              "millrace_interval_flushes_total",
              Kind.COUNTER,
              "Flushes because state.flush-interval had passed.",
              job -> Optional.of(job.sum(worker -> worker.flushes(FlushCause.INTERVAL)))),
          new OfJob(
              "millrace_recovery_flushes_total",
              Kind.COUNTER,
              "Flushes because a recovery would have taken longer than recovery.target.",
              job -> Optional.of(job.sum(worker -> worker.flushes(FlushCause.RECOVERY)))),
          new OfJob(
              "millrace_memory_flushes_total",
              Kind.COUNTER,
              "Flushes because committed state had reached its share of memory.",
              job -> Optional.of(job.sum(worker -> worker.flushes(FlushCause.MEMORY)))),
          new OfJob(
              "millrace_fetch_pauses_total",
              Kind.COUNTER,
              "Times that an input was paused because fetched batches had reached their share of"
                  + " memory.",
              job -> Optional.of(job.sum(WorkerMetrics::fetchPauses))),
          new OfJob(
              "millrace_fetch_paused_seconds_total",
              Kind.COUNTER,
              "Time during which inputs were paused because fetched batches had reached their share"
                  + " of memory, summed over workers.",
              job -> Optional.of(job.sum(WorkerMetrics::fetchPausedNanos) / NANOS)),
          new OfJob(
              "millrace_outbox_waits_total",
              Kind.COUNTER,
              "Times that processing waited because the output had reached its share of memory.",
              job -> Optional.of(job.sum(WorkerMetrics::outboxWaitCount))),
          new OfJob(
              "millrace_outbox_waited_seconds_total",
              Kind.COUNTER,
              "Time that processing waited because the output had reached its share of memory.",
              job -> Optional.of(job.sum(WorkerMetrics::outboxWaitedNanos) / NANOS)));

  private final Supplier<JobState> state;
  private final BooleanSupplier startWaitsForSpace;
  private volatile @Nullable Engine engine;

  /// The tasks that the job had when it let go of them.
  private volatile Map<Plan.TaskId, TaskMetrics> parting = new LinkedHashMap<>();

  private volatile boolean hasEnded;
  private volatile @Nullable MemoryMetrics memory;
  private volatile @Nullable PartitionWatch partitions;
  private volatile @Nullable OtherVersions otherVersions;
  private volatile @Nullable RolloutWatch rollout;
  private volatile @Nullable OperatorFamilies operators;
  private volatile LongSupplier diskBytes = () -> 0;
  private volatile double recordsPerSecond;
  private volatile int httpPort = -1;
  private long sampledNanos;
  private long sampledRecords;

  /// @param startWaitsForSpace whether the disk is too full for the job to start
  JobMetrics(Supplier<JobState> state, BooleanSupplier startWaitsForSpace) {
    this.state = state;
    this.startWaitsForSpace = startWaitsForSpace;
  }

  /// Returns the port where the metrics are served by HTTP; -1 if they are not served.
  int httpPort() {
    return httpPort;
  }

  void servedAt(int port) {
    httpPort = port;
  }

  /// @param newDiskBytes says how large the state on disk is
  void watch(Engine newEngine, LongSupplier newDiskBytes, MemoryMetrics newMemory) {
    diskBytes = newDiskBytes;
    memory = newMemory;
    engine = newEngine;
  }

  /// Shows what it finds from now on.
  void watch(PartitionWatch newPartitions) {
    partitions = newPartitions;
  }

  /// Shows what they do not read from now on.
  void watch(OtherVersions newVersions) {
    otherVersions = newVersions;
  }

  /// Shows whether a change is being rolled out from now on.
  void watch(RolloutWatch newRollout) {
    rollout = newRollout;
  }

  /// @param newOperators says what is slow
  void watch(OperatorFamilies newOperators) {
    operators = newOperators;
  }

  /// Measures rates; called again and again by one thread.
  void sample(long nowNanos) {
    long elapsed = nowNanos - sampledNanos;
    if (sampledNanos != 0 && elapsed < SAMPLE_NANOS) {
      return;
    }
    long records = processed();
    if (sampledNanos != 0) {
      recordsPerSecond = (records - sampledRecords) * NANOS / elapsed;
    }
    sampledNanos = nowNanos;
    sampledRecords = records;
  }

  /// Returns the number of records a second that all tasks read, over about the last second.
  public double recordsPerSecond() {
    return recordsPerSecond;
  }

  /// Returns a percentile of the time from a source record's timestamp in the log to its commit,
  /// since the job started; empty before the first commit.
  ///
  /// @param share from 0 to 1, such as 0.99
  public Optional<Duration> inputToCommit(double share) {
    return quantile(tasks().values().stream().map(TaskMetrics::latency), share);
  }

  /// Returns a percentile of the pauses in which a worker took part in a commit, began or finished
  /// a flush, or closed windows, since the job started; empty before the first pause.
  ///
  /// @param share from 0 to 1; the longest pause at 1
  public Optional<Duration> pause(double share) {
    return quantile(workers().map(WorkerMetrics::pauses), share);
  }

  private static Optional<Duration> quantile(Stream<LatencyHistogram> of, double share) {
    long[] counts = new long[LatencyHistogram.buckets()];
    of.forEach(each -> each.addTo(counts));
    long millis = LatencyHistogram.quantile(counts, share);
    return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
  }

  /// Returns the progress of each task of this process, in the order of stages and partitions;
  /// empty before the job runs.
  public List<TaskProgress> progress() {
    return tasks().entrySet().stream()
        .sorted(Comparator.comparingInt(task -> task.getKey().number()))
        .map(task -> TaskProgress.of(task.getKey(), task.getValue()))
        .toList();
  }

  /// Returns the counters of each task of this process, or, when the job has ended, of those that
  /// it had at its end; empty before the job runs.
  Map<Plan.TaskId, TaskMetrics> tasks() {
    Engine watched = engine;
    Map<Plan.TaskId, TaskMetrics> had = parting;
    return watched == null ? new LinkedHashMap<>() : hasEnded ? had : watched.taskMetrics();
  }

  /// The job is about to let go of its tasks, and then ends.
  void leaves() {
    parting = tasks();
  }

  /// The job has ended.
  void ended() {
    if (parting.isEmpty()) {
      leaves(); // it was killed, or has failed
    }
    hasEnded = true;
  }

  /// Returns the counters of the commit groups; empty before the job runs.
  List<GroupMetrics> groups() {
    Engine watched = engine;
    return watched == null
        ? List.of()
        : watched.groups().stream().map(CommitGroup::metrics).toList();
  }

  /// Returns the number of records that all tasks have read.
  public long processed() {
    return tasks().values().stream().mapToLong(TaskMetrics::processed).sum();
  }

  /// Returns the number of records of changelogs that were replayed.
  public long restored() {
    return tasks().values().stream().mapToLong(TaskMetrics::restored).sum();
  }

  /// Returns whether the disk is full. The job then waits for space, or continues in memory until
  /// it has to wait.
  public boolean waitsForSpace() {
    return startWaitsForSpace.getAsBoolean() || workers().anyMatch(WorkerMetrics::waitsForSpace);
  }

  /// Returns the predicted time of a recovery if the process were killed now, from the start of the
  /// engine to the first record.
  public Duration predictedRecovery() {
    return Duration.ofNanos(
        workers().mapToLong(WorkerMetrics::predictedRecoveryNanos).max().orElse(0));
  }

  /// Returns the predicted time left of the restore under way; zero if none is, empty if it is not
  /// known yet.
  public Optional<Duration> restoreLeft() {
    return workers().anyMatch(worker -> worker.restoreLeftNanos() < 0)
        ? Optional.empty()
        : Optional.of(
            Duration.ofNanos(workers().mapToLong(WorkerMetrics::restoreLeftNanos).max().orElse(0)));
  }

  /// Returns the time of the last replay of changelogs, from the opening of the disks to the last
  /// record; zero if there was nothing to replay.
  public Duration lastRestore() {
    return Duration.ofNanos(workers().mapToLong(WorkerMetrics::lastRestoreNanos).max().orElse(0));
  }

  /// Returns the number of flushes of a task's state to disk.
  public long flushes() {
    return workers().mapToLong(WorkerMetrics::flushes).sum();
  }

  private double sum(ToLongFunction<WorkerMetrics> value) {
    return workers().mapToLong(value).sum();
  }

  private Stream<WorkerMetrics> workers() {
    Engine watched = engine;
    return watched == null ? Stream.of() : watched.workerMetrics().stream();
  }

  /// Returns the number of records that were too late to change a result.
  public long late() {
    return tasks().values().stream().mapToLong(TaskMetrics::late).sum();
  }

  /// Returns the number of records that were skipped as bad input.
  public long skipped() {
    return tasks().values().stream().mapToLong(TaskMetrics::skipped).sum();
  }

  /// Returns the number of acknowledged commits.
  public long commits() {
    return groups().stream().mapToLong(GroupMetrics::commits).sum();
  }

  /// Returns all metrics with their current values. Points of a task have the labels `task`, such
  /// as `0-3`, `stage` and `partition`; points of an operator in a task also have `operator`.
  /// Points of an operator over all tasks have `stage`, `operator` and, if it calls one,
  /// `function`; points of a worker `worker` and `activity`; points of a commit group `group`.
  public List<MetricFamily> families() {
    List<MetricFamily> families = new ArrayList<>();
    families.add(states());
    for (OfJob metric : JOB) {
      List<Point> points =
          metric.value().apply(this).map(value -> new Point(Map.of(), value)).stream().toList();
      families.add(new MetricFamily(metric.name(), metric.kind(), metric.help(), points));
    }
    MemoryMetrics ofMemory = memory;
    if (ofMemory != null) {
      families.addAll(ofMemory.families());
    }
    PartitionWatch ofPartitions = partitions;
    if (ofPartitions != null) {
      families.add(ofPartitions.family());
      families.add(ofPartitions.added());
      families.add(ofPartitions.unread());
    }
    OtherVersions ofVersions = otherVersions;
    if (ofVersions != null) {
      families.add(ofVersions.family());
    }
    RolloutWatch ofRollout = rollout;
    if (ofRollout != null) {
      families.add(ofRollout.family());
    }
    Map<Plan.TaskId, TaskMetrics> tasks = tasks();
    families.addAll(TaskFamilies.of(tasks));
    families.addAll(LateFamilies.of(tasks));
    Engine watched = engine;
    families.addAll(
        StoreFamilies.of(tasks, watched == null ? new TreeMap<>() : watched.storeNames()));
    families.addAll(MigrationFamilies.of(tasks));
    families.addAll(CallFamilies.of(tasks));
    OperatorFamilies ofOperators = operators;
    if (ofOperators != null) {
      families.addAll(ofOperators.families());
    }
    List<GroupMetrics> groups = groups();
    for (OfGroups metric : GROUPS) {
      List<Point> points = new ArrayList<>();
      for (int group = 0; group < groups.size(); group++) {
        points.add(
            new Point(
                Map.of("group", Integer.toString(group)), metric.value().apply(groups.get(group))));
      }
      families.add(new MetricFamily(metric.name(), metric.kind(), metric.help(), points));
    }
    return families;
  }

  private MetricFamily states() {
    JobState now = state.get();
    List<Point> points = new ArrayList<>();
    for (JobState each : JobState.values()) {
      points.add(new Point(Map.of("state", each.name()), each == now ? 1 : 0));
    }
    return new MetricFamily(
        "millrace_job_state", Kind.GAUGE, "1 for the state that the job is in.", points);
  }
}
