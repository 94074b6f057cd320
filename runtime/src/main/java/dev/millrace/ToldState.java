package dev.millrace;

import dev.millrace.internal.cluster.decide.Beside;
import dev.millrace.internal.cluster.state.StateReport;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.StateSizes;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells in the log how large the state of each task of this process is, for those who ask while
/// nothing runs. Used by the control thread.
final class ToldState implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ToldState.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration LOOK = Duration.ofMillis(2);

  /// By which share of what was told a store grows or shrinks until it is told again.
  private static final double CHANGED = 0.1;

  private final int tasks;
  private final long bytesPerSecond;
  private final Beside beside;
  private final Clock clock;
  private final SortedMap<Integer, StateReport> told = new TreeMap<>();
  private @Nullable Thread telling;

  /// @param application the name under which it is stored
  /// @param member the name of this process
  /// @param tasks how many the application has
  /// @param workers how many this process has
  ToldState(String application, String member, int tasks, int workers, Log log, Clock clock) {
    this.tasks = tasks;
    bytesPerSecond = workers * StateSizes.MIGRATED_BYTES_PER_SECOND;
    beside =
        new Beside(
            application,
            "state." + member,
            log,
            clock,
            () -> LockSupport.parkNanos(LOOK.toNanos()),
            PATIENCE);
    this.clock = clock;
  }

  /// Begins to tell what has changed by more than a little since it was told. Waits for nothing.
  void tell(Engine engine) {
    tell(engine, CHANGED);
  }

  /// As [#tell], of everything that has changed.
  void tellAll(Engine engine) {
    tell(engine, 0);
  }

  private void tell(Engine engine, double share) {
    List<StateReport> news = news(engine.taskMetrics(), share);
    if (!news.isEmpty()) {
      Thread before = telling;
      telling = Thread.ofVirtual().name("millrace-state").start(() -> write(news, before));
    }
  }

  /// Tasks that this process has not any more are told anew when they are back.
  private List<StateReport> news(Map<Plan.TaskId, TaskMetrics> metrics, double share) {
    List<StateReport> news = new ArrayList<>();
    SortedMap<Integer, StateReport> present = new TreeMap<>();
    metrics.forEach((id, each) -> {
      SortedMap<Integer, Long> stores = each.storeBytes();
      if (stores != null) {
        StateReport now =
            new StateReport(id.number(), tasks, bytesPerSecond / metrics.size(), stores);
        StateReport last = told.get(id.number());
        if (last == null || now.differs(last, share)) {
          news.add(now);
          last = now;
        }
        present.put(id.number(), last);
      }
    });
    told.clear();
    told.putAll(present);
    return news;
  }

  private void write(List<StateReport> news, @Nullable Thread before) {
    await(before);
    List<Function<Split, RecordBatch>> records = new ArrayList<>();
    news.forEach(each -> records.add(split -> each.record(split, clock.millis())));
    try {
      beside.write(records);
    } catch (LogException e) {
      LOG.debug("The size of the state cannot be told now.", e);
    } catch (RuntimeException e) { // outermost: the end of a thread
      LOG.warn("The size of the state was not told.", e);
    }
  }

  private static boolean await(@Nullable Thread last) {
    try {
      return last == null || last.join(PATIENCE);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Waits a moment for what is being told.
  @Override
  public void close() {
    if (!await(telling)) {
      LOG.debug("The size of the state is not told yet, because Kafka does not answer.");
    }
  }
}
