package dev.millrace.testkit.time;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/// What will happen when, in virtual time. Used by one thread.
///
/// Events happen in the order of their time, those of one moment in the order they were entered. An
/// event may enter others, but never runs the scheduler itself.
public final class Scheduler {
  private final VirtualClock clock;
  private final TreeMap<Key, Runnable> events = new TreeMap<>();
  private long entered;
  private boolean running;

  public Scheduler(VirtualClock clock) {
    this.clock = clock;
  }

  public VirtualClock clock() {
    return clock;
  }

  /// Enters an event.
  ///
  /// @param moment in terms of the clock's nanoseconds; one that has passed means as soon as
  ///   possible
  public Event at(long moment, Runnable action) {
    Key key = new Key(Math.max(moment, clock.nanos()), entered++);
    events.put(key, action);
    return new Event(key);
  }

  /// Enters an event that happens a time from now.
  public Event after(Duration delay, Runnable action) {
    return at(clock.nanos() + delay.toNanos(), action);
  }

  /// Runs what is due by now, including what that enters for now.
  ///
  /// @return the number of events
  public int runDue() {
    if (running) {
      throw new IllegalStateException("An event tried to run the scheduler.");
    }
    running = true;
    try {
      int count = 0;
      Map.Entry<Key, Runnable> first = events.firstEntry();
      while (first != null && first.getKey().moment <= clock.nanos()) {
        events.remove(first.getKey());
        first.getValue().run();
        count++;
        first = events.firstEntry();
      }
      return count;
    } finally {
      running = false;
    }
  }

  /// Moves the clock on, running every event at its time.
  public void advance(Duration by) {
    long end = clock.nanos() + by.toNanos();
    runDue();
    while (!events.isEmpty() && events.firstKey().moment <= end) {
      clock.advanceTo(events.firstKey().moment);
      runDue();
    }
    clock.advanceTo(end);
  }

  /// The time of the next event in terms of the clock's nanoseconds, if there is any.
  public OptionalLong next() {
    Map.Entry<Key, Runnable> first = events.firstEntry();
    return first == null ? OptionalLong.empty() : OptionalLong.of(first.getKey().moment);
  }

  /// The number of events that have not happened yet.
  public int waiting() {
    return events.size();
  }

  private record Key(long moment, long number) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byMoment = Long.compare(moment, other.moment);
      return byMoment != 0 ? byMoment : Long.compare(number, other.number);
    }
  }

  /// Something entered into a scheduler.
  public final class Event {
    private final Key key;

    private Event(Key key) {
      this.key = key;
    }

    /// Takes it out.
    ///
    /// @return false if it has happened or was taken out already
    public boolean cancel() {
      return events.remove(key) != null;
    }
  }
}
