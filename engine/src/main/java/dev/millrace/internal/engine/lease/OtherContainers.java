package dev.millrace.internal.engine.lease;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The other containers of an application, by their signs of life, for who holds no lease. Waits
/// for the log.
public final class OtherContainers {
  private static final Duration READ = Duration.ofMillis(20);
  private static final Duration START = Duration.ofSeconds(60);

  private final String application;
  private final int container;
  private final Log log;
  private final Clock clock;

  /// @param container the one that the others are beside
  public OtherContainers(String application, int container, Log log, Clock clock) {
    this.application = application;
    this.container = container;
    this.log = log;
    this.clock = clock;
  }

  /// Reads whether, by their last signs of life, processes may run other containers: they have not
  /// let go of them.
  ///
  /// @throws LogException if the topic cannot be read
  public boolean mayRun() {
    return !held().isEmpty();
  }

  /// Reads which other containers are run by processes that live: they have not let go of them, and
  /// give another sign of life within [ContainerLease#PATIENCE], for which it waits.
  ///
  /// @param pause between two looks
  /// @throws LogException if the topic cannot be read
  public SortedSet<Integer> living(Runnable pause) {
    Map<Integer, SignOfLife> before = held();
    SortedSet<Integer> living = new TreeSet<>();
    long begunNanos = clock.nanos();
    while (living.size() < before.size()
        && clock.nanos() - begunNanos < ContainerLease.PATIENCE.toNanos()) {
      pause.run();
      held()
          .forEach((number, sign) -> {
            SignOfLife last = before.get(number);
            if (last != null && !last.equals(sign)) {
              living.add(number);
            }
          });
    }
    return living;
  }

  private Map<Integer, SignOfLife> held() {
    long begunNanos = clock.nanos();
    SignReader reader = new SignReader(log, new Split(ContainerLease.topic(application).name(), 0));
    Map<Integer, SignOfLife> last = new TreeMap<>();
    try {
      while (!reader.read(READ, sign -> last.put(sign.container(), sign))) {
        if (clock.nanos() - begunNanos > START.toNanos()) {
          throw new LogException(
              LogException.Kind.UNAVAILABLE,
              "The signs of life in topic '%s' could not be read within %d s."
                  .formatted(ContainerLease.topic(application).name(), START.toSeconds()));
        }
      }
    } finally {
      reader.close();
    }
    last.remove(container);
    last.values().removeIf(SignOfLife::released);
    return last;
  }
}
