package dev.millrace.testkit.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SchedulerTest {
  private final VirtualClock clock = new VirtualClock();
  private final Scheduler scheduler = new Scheduler(clock);
  private final List<String> happened = new ArrayList<>();

  private Runnable note(String what) {
    return () -> happened.add(what + "@" + clock.nanos());
  }

  @Test
  void eventsHappenInTheOrderOfTheirTimeThenOfTheirEntry() {
    scheduler.at(30, note("c"));
    scheduler.at(10, note("a"));
    scheduler.at(30, note("d"));
    scheduler.at(20, note("b"));
    scheduler.advance(Duration.ofNanos(30));
    assertEquals(List.of("a@10", "b@20", "c@30", "d@30"), happened);
    assertEquals(30, clock.nanos());
  }

  @Test
  void anEventMayEnterOthersWhichHappenInTheSameAdvance() {
    scheduler.at(
        10,
        () -> {
          scheduler.after(Duration.ofNanos(5), note("later"));
          scheduler.at(0, note("at once"));
        });
    scheduler.advance(Duration.ofNanos(20));
    assertEquals(List.of("at once@10", "later@15"), happened);
  }

  @Test
  void nothingHappensBeforeItsTimeOrAfterItWasCancelled() {
    Scheduler.Event event = scheduler.at(10, note("no"));
    scheduler.at(12, note("yes"));
    scheduler.advance(Duration.ofNanos(9));
    assertEquals(List.of(), happened);
    assertEquals(OptionalLong.of(10), scheduler.next());
    assertTrue(event.cancel());
    assertFalse(event.cancel());
    assertEquals(1, scheduler.waiting());
    clock.advance(Duration.ofNanos(100));
    assertEquals(1, scheduler.runDue());
    assertEquals(List.of("yes@109"), happened);
    assertEquals(OptionalLong.empty(), scheduler.next());
  }

  @Test
  void anEventCannotRunTheScheduler() {
    scheduler.at(0, scheduler::runDue);
    assertThrows(IllegalStateException.class, scheduler::runDue);
    scheduler.at(0, note("still works"));
    scheduler.runDue();
    assertEquals(1, happened.size());
  }

  @Test
  void aSkewedClockShowsAnotherTimeOfDayAndTheSameIntervals() {
    var skewed = clock.skewed(Duration.ofDays(-10));
    clock.advance(Duration.ofMillis(7));
    assertEquals(clock.millis() - Duration.ofDays(10).toMillis(), skewed.millis());
    assertEquals(clock.nanos(), skewed.nanos());
    assertThrows(IllegalArgumentException.class, () -> clock.advance(Duration.ofNanos(-1)));
  }
}
