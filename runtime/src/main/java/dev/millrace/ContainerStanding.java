package dev.millrace;

import dev.millrace.internal.engine.Engine;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The right to the tasks of a numbered container, of the process that holds it.
final class ContainerStanding implements Standing {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerStanding.class);

  private final ContainerHold container;
  private final Refusals refusals;
  private final Consumer<SortedSet<Integer>> missing;
  private SortedSet<Integer> told = Collections.emptySortedSet();

  /// @param missing is told the containers that no process runs, when they change
  ContainerStanding(
      ContainerHold container, Refusals refusals, Consumer<SortedSet<Integer>> missing) {
    this.container = container;
    this.refusals = refusals;
    this.missing = missing;
  }

  @Override
  public @Nullable JobFailure look() {
    sayMissing(container.missing());
    return refusals.of(container);
  }

  /// Logs containers that no process runs, and those that run again.
  private void sayMissing(SortedSet<Integer> now) {
    SortedSet<Integer> before = told;
    if (now.equals(before)) {
      return;
    }
    told = now;
    missing.accept(now);
    for (int each : now) {
      if (!before.contains(each)) {
        LOG.warn("{}", refusals.missing(each));
      }
    }
    for (int each : before) {
      if (!now.contains(each)) {
        LOG.info("{}", refusals.back(each));
      }
    }
  }

  @Override
  public SortedMap<String, String> otherVersions() {
    return container.otherVersions();
  }

  @Override
  public void begun() {}

  @Override
  public boolean isSettled() {
    return true;
  }

  /// Returns false: the engine ends by itself.
  @Override
  public boolean isCompleted() {
    return false;
  }

  @Override
  public boolean isTakenAway() {
    return false;
  }

  @Override
  public void leave() {}

  @Override
  public boolean mayEnd(Engine engine) {
    return true;
  }
}
