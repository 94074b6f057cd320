package dev.millrace.benchmarks.containers;

import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.internal.kafka.KafkaLog;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Follows what is decided about the tasks, as `millrace placement` reads it, and remembers when it
/// saw each change. One thread reads, others ask.
final class Decided implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final String application;
  private final Log log;
  private final Thread reading;
  private final List<Change> changes = new ArrayList<>();
  private SortedMap<Integer, Seat> seats = new TreeMap<>();

  /// By task, when its owner was told to split another one off, as far as it was seen.
  private final Map<Integer, Long> ready = new TreeMap<>();

  private String leader = "";
  private @Nullable RuntimeException failure;
  private volatile boolean closing;

  /// What was decided about a task, and when this was seen.
  record Change(int task, Seat before, Seat now, long nanos) {
    boolean isOfOwner() {
      return !before.owner().equals(now.owner());
    }
  }

  Decided(String bootstrap, String application) {
    this.application = application;
    log =
        KafkaLog.connect(
            KafkaLogSettings.of(bootstrap, "bench-decided").withDataPlane(DataPlane.OFFICIAL));
    reading = Thread.ofPlatform().daemon().name("decided").start(this::follow);
  }

  private static void pause() {
    LockSupport.parkNanos(PAUSE.toNanos());
  }

  private void follow() {
    try (Decisions decisions = new Decisions(application, log)) {
      while (!closing) {
        try {
          if (decisions.read()) {
            take(decisions);
          }
        } catch (LogException e) {
          if (e.kind() != LogException.Kind.MISSING && e.kind() != LogException.Kind.UNAVAILABLE) {
            throw e;
          }
        }
        pause();
      }
    } catch (RuntimeException e) { // outermost: the end of this thread, told to those who ask
      synchronized (this) {
        failure = e;
      }
    }
  }

  private synchronized void take(Decisions decisions) {
    leader = decisions.term().resigned() ? "" : decisions.term().leader();
    decisions
        .parts()
        .forEach((part, of) -> {
          if (of.ready()) {
            ready.putIfAbsent(of.parent(), System.nanoTime());
          }
        });
    if (decisions.seats().equals(seats)) {
      return;
    }
    long now = System.nanoTime();
    SortedMap<Integer, Seat> next = new TreeMap<>(decisions.seats());
    next.forEach((task, seat) -> {
      Seat before = seats.getOrDefault(task, Seat.EMPTY);
      if (!seat.equals(before)) {
        changes.add(new Change(task, before, seat, now));
      }
    });
    seats = next;
  }

  private void requireRead() {
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw new IllegalStateException("The decisions cannot be read: " + thrown, thrown);
    }
  }

  /// Returns what is decided about each task now.
  synchronized SortedMap<Integer, Seat> seats() {
    requireRead();
    return new TreeMap<>(seats);
  }

  /// Returns the name of the process that decides; empty if none does.
  synchronized String leader() {
    return leader;
  }

  /// Returns what was decided since a moment of [System#nanoTime], in order.
  synchronized List<Change> since(long moment) {
    requireRead();
    return changes.stream().filter(each -> each.nanos - moment >= 0).toList();
  }

  /// Returns the name of the process with a number; empty if it has not said anything yet, or if
  /// that cannot be read now.
  String nameOf(long pid) {
    try {
      Census census = new Census(application, log, Clock.system(), Decided::pause);
      for (Map.Entry<String, Census.Said> each : census.last().entrySet()) {
        Sign sign = each.getValue().sign();
        if (sign.self().running().pid() == pid && !sign.phase().isGone()) {
          return each.getKey();
        }
      }
    } catch (LogException _) {
      return ""; // it is asked for again
    }
    return "";
  }

  /// Asks for a task to be split.
  void split(int task) {
    new Requests(application, log, Clock.system(), Decided::pause).split(task, true);
  }

  /// Returns when the owner of a task was told to split another one off; [Long#MAX_VALUE] if that
  /// was not seen.
  synchronized long splitSince(int task) {
    requireRead();
    return ready.getOrDefault(task, Long.MAX_VALUE);
  }

  /// Asks for a process to have no tasks, or takes that back.
  void drain(String name, boolean yes) {
    new Requests(application, log, Clock.system(), Decided::pause).drain(name, yes);
  }

  @Override
  public void close() {
    closing = true;
    try {
      reading.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    log.close();
  }
}
