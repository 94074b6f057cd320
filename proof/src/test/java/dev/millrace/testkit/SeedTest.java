package dev.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeedTest {
  @Test
  void aForkIsGivenByNumberAndNameNotByWhatWasDrawn() {
    Seed one = new Seed(42);
    Seed other = new Seed(42);
    other.nextLong();
    other.shuffle(new ArrayList<>(List.of(1, 2, 3)));
    assertEquals(one.fork("a").nextLong(), other.fork("a").nextLong());
    assertNotEquals(one.fork("a").nextLong(), one.fork("b").nextLong());
    assertNotEquals(one.fork("a").nextLong(), new Seed(43).fork("a").nextLong());
  }

  @Test
  void forksOfManyNamesAndNumbersDiffer() {
    TreeSet<Long> drawn = new TreeSet<>();
    for (int number = 0; number < 100; number++) {
      for (int name = 0; name < 100; name++) {
        drawn.add(new Seed(number).fork("part " + name).nextLong());
      }
    }
    assertEquals(10_000, drawn.size());
  }

  @Test
  void drawsStayWithinTheirBounds() {
    Seed seed = new Seed(1);
    TreeSet<Integer> drawn = new TreeSet<>();
    TreeSet<Duration> durations = new TreeSet<>();
    for (int i = 0; i < 1000; i++) {
      drawn.add(seed.between(3, 6));
      durations.add(seed.between(Duration.ofNanos(5), Duration.ofNanos(7)));
      assertFalse(seed.chance(0));
      assertTrue(seed.chance(1));
    }
    assertEquals(List.of(3, 4, 5, 6), List.copyOf(drawn));
    assertEquals(Duration.ofNanos(5), durations.first());
    assertEquals(Duration.ofNanos(7), durations.last());
  }

  @Test
  void aShuffleKeepsEverything() {
    List<Integer> list = new ArrayList<>(IntStream.range(0, 50).boxed().toList());
    new Seed(9).shuffle(list);
    assertNotEquals(IntStream.range(0, 50).boxed().toList(), list);
    list.sort(null);
    assertEquals(IntStream.range(0, 50).boxed().toList(), list);
  }
}
