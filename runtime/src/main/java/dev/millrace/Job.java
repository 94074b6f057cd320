package dev.millrace;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Serde;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.job.LateRecords;
import dev.millrace.spi.job.QueryException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running application, or the part of it that this process runs.
///
/// It has a control thread and one thread for each worker. All methods are thread-safe. A job ends
/// by itself when its bounded input has ended or it fails; otherwise [#stop] ends it.
public final class Job implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Job.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PATIENCE_OF_READERS = Duration.ofSeconds(5);
  private static final int WINDOWS_AT_ONCE = 1_000;

  private final JobControl control;
  private final List<JobListener> listeners = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile JobState state = JobState.STARTING;

  /// @param local the log in memory that the program has; null if it has none
  /// @param around what the engine sees of its surroundings; for tests that stand in between
  Job(
      StreamApplication application,
      JobConfig config,
      @Nullable LocalLog local,
      UnaryOperator<Surroundings> around) {
    control = new JobControl(application, config, local, around, this::changed);
  }

  void begin() {
    control.start();
  }

  private void changed(JobState now) {
    JobState before = state;
    if (before == now || before.isFinal()) {
      return;
    }
    state = now;
    LOG.info("Job '{}' is {}.", control.application(), now);
    for (JobListener listener : listeners) {
      try {
        listener.changed(before, now);
        // outermost: what a listener does is not the job's business
      } catch (RuntimeException e) {
        LOG.warn("A listener of job '{}' failed when it became {}.", control.application(), now, e);
      }
    }
    if (now.isFinal()) {
      end.countDown();
    }
  }

  public JobState state() {
    return state;
  }

  /// Returns why the job failed; null unless its state is [JobState#FAILED].
  public @Nullable JobFailure failure() {
    return control.failure();
  }

  /// Returns whether the job has stopped because somebody has asked for a restart of this process,
  /// as `millrace restart` does; whoever runs it is to start it again.
  public boolean isToRestart() {
    return control.restarts();
  }

  /// Adds a listener that is called at each change of the state from now on.
  public void onChange(JobListener listener) {
    listeners.add(listener);
  }

  /// Returns the plan that runs; null until the topics are known.
  @Nullable Plan plan() {
    return control.plan();
  }

  /// Returns a reader of the committed entries of a store.
  ///
  /// @param name of the store, such as that of an aggregation
  /// @throws QueryException if the job does not run, there is no such store, or its keys or values
  ///   have other formats
  public <K, V> StoreReader<K, V> store(String name, Serde<K> keys, Serde<V> values) {
    return new StoreReader<>(name, running().store(name, keys, values), PATIENCE_OF_READERS);
  }

  private Engine running() {
    Engine engine = control.engine();
    if (engine == null || state.isFinal()) {
      throw new QueryException(
          "Job '%s' is %s. Its stores can be read only while it runs."
              .formatted(control.application(), state));
    }
    return engine;
  }

  /// Returns the counts of late records of an operator with windows, by the start of the window:
  /// windows of the last seven days, as of the last commits, over the tasks of this process. Other
  /// processes have the counts of their own tasks; the ledger says which partitions it covers.
  ///
  /// @param operator such as the name of an aggregation
  /// @throws QueryException if the job does not run, the operator has no windows that end at a
  ///   time, or no answer came in time, as while a task is restored
  public LateLedger late(String operator) throws InterruptedException {
    StoreReader<Long, LateRecords> store =
        new StoreReader<>(operator, running().late(operator), PATIENCE_OF_READERS);
    SortedMap<Instant, LateRecords> all = new TreeMap<>();
    SortedSet<Integer> partitions = store.partitionsHere();
    for (int partition : partitions) {
      Long from = null;
      List<StoreReader.Entry<Long, LateRecords>> found;
      do {
        found = store.range(partition, from, null, WINDOWS_AT_ONCE);
        for (StoreReader.Entry<Long, LateRecords> each : found) {
          all.merge(Instant.ofEpochMilli(each.key()), each.value(), LateRecords::plus);
          from = each.key() + 1;
        }
      } while (found.size() == WINDOWS_AT_ONCE);
    }
    return new LateLedger(all, partitions, store.partitions());
  }

  /// Returns counters and gauges of the job.
  public JobMetrics metrics() {
    return control.metrics();
  }

  /// Waits until the job has ended, for whatever reason.
  public void await() throws InterruptedException {
    end.await();
  }

  /// Waits until the job has ended.
  ///
  /// @return whether the job has ended
  public boolean await(Duration atMost) throws InterruptedException {
    return end.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Has other processes take over, commits what was processed and ends the job. Does nothing if it
  /// has ended.
  ///
  /// @param atMost how long to wait for the last commit; others have half of it at most to become
  ///   ready, see [dev.millrace.config.StopConfig]
  /// @return whether the job has ended in that time; otherwise it still tries to commit
  public boolean stop(Duration atMost) throws InterruptedException {
    control.stop(atMost);
    return await(atMost);
  }

  /// Stops the job: waits up to 30 seconds for its last commit, and ends its threads in any case.
  @Override
  public void close() {
    try {
      if (!stop(PATIENCE)) {
        LOG.warn(
            "Job '{}' did not commit within {} s. Its next start processes the records after its"
                + " last commit again.",
            control.application(),
            PATIENCE.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    control.kill();
  }
}
