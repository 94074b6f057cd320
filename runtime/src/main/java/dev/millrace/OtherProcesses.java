package dev.millrace;

import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.engine.lease.ContainerLease;
import dev.millrace.internal.engine.lease.OtherContainers;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/// The other processes of an application, for one that starts and is none of them yet. Waits for
/// the log. Used by the control thread.
final class OtherProcesses {
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final String application;
  private final int container;
  private final Log log;
  private final Clock clock;

  /// @param application the name under which it is stored
  /// @param container the number of this one
  OtherProcesses(String application, int container, Log log, Clock clock) {
    this.application = application;
    this.container = container;
    this.log = log;
    this.clock = clock;
  }

  /// Returns those that show that they live, with a number or without. Waits for signs of life of
  /// those that have not said that they end.
  SortedSet<String> living() {
    SortedSet<String> living = new TreeSet<>();
    if (!log.topics(List.of(ContainerLease.topic(application).name())).isEmpty()) {
      new OtherContainers(application, container, log, clock)
          .living(OtherProcesses::pause)
          .forEach(each -> living.add(Integer.toString(each)));
    }
    Census census = new Census(application, log, clock, OtherProcesses::pause);
    living.addAll(census.living(census.last()).keySet());
    return living;
  }

  private static void pause() {
    LockSupport.parkNanos(PAUSE.toNanos());
  }
}
