package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.state.CachedStore;
import dev.millrace.internal.state.NumberedStore;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.internal.state.StateMemory;
import dev.millrace.internal.state.TaskState;
import dev.millrace.internal.state.memory.MemoryDisks;
import dev.millrace.spi.Disks;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A budget that is divided among tasks that come and go.
class MemorySharesTest {
  private static final StoreSpec<Long, String> SPEC =
      StoreSpec.keyValue("store", Serdes.longs(), Serdes.string());
  private static final MemoryShares SHARES = MemoryShares.of(4 << 20, 1 << 20, 1);

  /// All tasks write what they can and the budget is divided at each coming and going. Behind a
  /// commit and a flush of each they take at most what there is, together.
  @Test
  void theTasksThatAreThereShareWhatThereIs() {
    for (long seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      try (Disks disks = new MemoryDisks()) {
        List<TaskState> tasks = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
          if (tasks.size() < 2 || random.nextInt(5) < 3) {
            tasks.add(
                new TaskState(
                    "0-" + step,
                    disks.open("0-" + step),
                    List.of(new NumberedStore(1, SPEC)),
                    SHARES.limits(tasks.size() + 1).ofTask()));
          } else {
            tasks.remove(random.nextInt(tasks.size())).close();
          }
          StateLimits each = SHARES.limits(tasks.size()).ofTask();
          tasks.forEach(task -> task.share(each));
          tasks.forEach(task -> work(task, random));
          assertWithin(tasks, "seed %d, step %d".formatted(seed, step));
        }
        tasks.forEach(TaskState::close);
      }
    }
  }

  private static void work(TaskState task, Random random) {
    CachedStore<Long, String> store = task.store(1);
    for (int i = 0; i < 1_500 && !task.wantsCommit(); i++) {
      store.put(random.nextLong(20_000), "x".repeat(random.nextInt(200)));
    }
    task.collect((_, _) -> {});
    task.acknowledge();
    if (task.wantsFlush() || random.nextBoolean()) {
      task.flush(new byte[] {1});
    }
    for (int i = 0; i < 1_500; i++) {
      store.get(random.nextLong(20_000));
    }
  }

  private static void assertWithin(List<TaskState> tasks, String about) {
    long objects = 0;
    long committed = 0;
    for (TaskState task : tasks) {
      StateMemory memory = task.gauges().memory();
      objects += memory.objects();
      committed += task.gauges().committedBytes();
      assertEquals(0, memory.live(), about);
    }
    assertTrue(objects + committed <= SHARES.objects() + SHARES.committed(), about);
    assertTrue(committed <= SHARES.committed(), about);
  }
}
