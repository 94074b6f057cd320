package dev.millrace.internal.engine.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.plan.FollowedPlans;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.SplitTasks;
import dev.millrace.internal.engine.plan.WrittenFormats;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.internal.engine.topology.Renames;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.settings.SizeLimits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FetcherTest {
  private static final int SMALL = 1_000;
  private static final int LARGE = 100_000;
  private static final Plan PLAN =
      new Plan(
          "app",
          "app",
          new PlanDescription(List.of()),
          0,
          new SplitTasks(0),
          List.of(),
          List.of(),
          FollowedPlans.NONE,
          Renames.NONE,
          SizeLimits.defaults(),
          Map.of(),
          WrittenFormats.OWN);
  private static final Plan.Input PLANNED = new Plan.Input("in", 3, List.of(), null);

  private final Reader reader = new Reader();
  private final Time time = new Time();
  private final WorkerMetrics metrics = new WorkerMetrics();
  private final Map<Integer, TaskInput> inputs = new LinkedHashMap<>();

  /// Gives what it was given, but for splits that are paused.
  private static final class Reader implements SplitReader {
    private final ArrayDeque<RecordBatch> batches = new ArrayDeque<>();
    private final Set<Integer> paused = new TreeSet<>();

    @Override
    public void add(Split split, Position start) {}

    @Override
    public void remove(Split split) {}

    @Override
    public void pause(Split split) {
      assertTrue(paused.add(split.partition()), "paused twice");
    }

    @Override
    public void resume(Split split) {
      assertTrue(paused.remove(split.partition()), "not paused");
    }

    @Override
    public @Nullable RecordBatch poll(Duration atMost) {
      for (RecordBatch batch : batches) {
        if (!paused.contains(batch.split().partition())) {
          batches.remove(batch);
          return batch;
        }
      }
      return null;
    }

    @Override
    public long endOffset(Split split) {
      return -1;
    }

    @Override
    public long aheadBytes() {
      return 7;
    }

    @Override
    public void wakeup() {}

    @Override
    public void close() {}
  }

  private static final class Time implements Clock {
    private long nanos;

    @Override
    public long millis() {
      return 0;
    }

    @Override
    public long nanos() {
      return nanos;
    }
  }

  private Fetcher fetching(long shareBytes) {
    Fetcher fetching = new Fetcher(reader, shareBytes, time, metrics);
    for (int partition = 0; partition < 3; partition++) {
      TaskInput input =
          TaskInput.create(new Split("in", partition), PLANNED, Position.of(0), -1, 0);
      inputs.put(partition, input);
      fetching.begin(input);
    }
    return fetching;
  }

  private void fetched(Fetcher fetching, int partition, int bytes) {
    give(partition, bytes);
    assertTrue(fetching.fetch(Duration.ZERO));
  }

  private void give(int partition, int bytes) {
    TaskInput input = input(partition);
    long offset = input.position().offset() + input.waiting();
    RecordBatch batch = new RecordBatch(_ -> {}, 1, bytes);
    batch.reset(new Split("in", partition), new byte[0], offset);
    batch.append(offset, 0);
    reader.batches.add(batch);
  }

  private TaskInput input(int partition) {
    return Objects.requireNonNull(inputs.get(partition));
  }

  private void process(Fetcher fetching, int partition) {
    input(partition).advance(1, InputTime.UNKNOWN, PLAN);
    assertFalse(fetching.processed(input(partition), false));
  }

  @Test
  void theFattestInputsArePausedUntilHalfOfTheShareIsFree() {
    Fetcher fetching = fetching(5 * SMALL + LARGE);
    fetched(fetching, 0, SMALL);
    fetched(fetching, 1, LARGE);
    fetched(fetching, 2, SMALL);
    assertEquals(Set.of(), reader.paused);
    fetched(fetching, 0, 10 * SMALL);
    assertEquals(Set.of(1), reader.paused);
    fetched(fetching, 2, SMALL);
    assertEquals(Set.of(0, 1), reader.paused);
    assertEquals(2, metrics.fetchPauses());
    time.nanos = 500;

    process(fetching, 2);
    process(fetching, 2);
    assertEquals(Set.of(0, 1), reader.paused, "still above half of the share");
    process(fetching, 1);
    assertEquals(Set.of(), reader.paused);
    assertEquals(500, metrics.fetchPausedNanos());
  }

  @Test
  void anInputThatHasNothingIsReadHoweverFullTheShareIs() {
    Fetcher fetching = fetching(SMALL);
    fetched(fetching, 0, LARGE);
    fetched(fetching, 1, LARGE);
    assertEquals(Set.of(0, 1), reader.paused);
    process(fetching, 0);
    assertEquals(Set.of(1), reader.paused, "or a batch larger than the share is never read");
    give(1, SMALL);
    assertFalse(fetching.fetch(Duration.ZERO), "a paused input was read");
  }

  @Test
  void whatWaitsAndWhatIsReadAheadIsTold() {
    Fetcher fetching = fetching(SMALL);
    fetched(fetching, 0, LARGE);
    long bytes = input(0).waitingBytes();
    assertTrue(bytes >= LARGE && bytes < 2 * LARGE, () -> "a batch takes " + bytes);
    time.nanos = 300;
    fetching.measure();
    assertEquals(bytes + 7, metrics.fetchedBytes());
    assertEquals(300, metrics.fetchPausedNanos());
    time.nanos = 400;
    fetching.end();
    assertEquals(400, metrics.fetchPausedNanos(), "time was counted twice or not at all");
  }
}
