package dev.millrace;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tasks that have state on the disks of this process, looked up now and then. Used by one
/// thread.
final class StoredTasks implements Supplier<Collection<Integer>> {
  private static final Logger LOG = LoggerFactory.getLogger(StoredTasks.class);
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Disks disks;
  private final Clock clock;
  private final Plan plan;
  private List<Integer> found = List.of();
  private boolean looked;
  private long lookedNanos;

  StoredTasks(Plan plan, Disks disks, Clock clock) {
    this.disks = disks;
    this.clock = clock;
    this.plan = plan;
  }

  /// Returns their numbers.
  @Override
  public Collection<Integer> get() {
    long now = clock.nanos();
    if (!looked || now - lookedNanos >= LOOK.toNanos()) {
      looked = true;
      lookedNanos = now;
      look();
    }
    return found;
  }

  private void look() {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    plan.tasks().forEach(task -> numbers.put(task.toString(), task.number()));
    try {
      List<Integer> now = new ArrayList<>();
      for (String name : disks.stored()) {
        Integer number = numbers.get(name);
        if (number != null) {
          now.add(number);
        }
      }
      found = now;
    } catch (DiskException e) {
      LOG.warn(
          "It cannot be told to other processes which tasks have state here: {}", e.getMessage());
    }
  }
}
