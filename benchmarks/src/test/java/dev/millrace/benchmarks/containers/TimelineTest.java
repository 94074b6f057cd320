package dev.millrace.benchmarks.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TimelineTest {
  @Test
  void aGapCountsAsAWholeWhereverItBegins() {
    Timeline timeline = new Timeline();
    LongStream.of(10, 20, 50, 60).forEach(timeline::add);
    assertEquals(new Timeline.Gap(20, 50), timeline.longest(30, 40));
    assertEquals(new Timeline.Gap(10, 20), timeline.longest(12, 19));
    assertEquals(new Timeline.Gap(60, 100), timeline.longest(12, 100), "it is not over yet");
    assertEquals(new Timeline.Gap(20, 50), timeline.longest(5, 55));
    assertEquals(50, timeline.firstAfter(20));
    assertEquals(Long.MAX_VALUE, timeline.firstAfter(60));
  }

  /// An interval is seen at each of its moments: the longest time without an arrival around any.
  @Test
  void theLongestGapIsTheLongestAroundAnyMoment() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      Timeline timeline = new Timeline();
      List<Long> times = new ArrayList<>();
      long now = 0;
      for (int i = random.nextInt(12); i > 0; i--) {
        now += 1 + random.nextInt(9);
        times.add(now);
        timeline.add(now);
      }
      long from = random.nextInt(40);
      long to = from + 1 + random.nextInt(30);
      long longest = 0;
      for (long moment = from; moment < to; moment++) {
        long at = moment;
        long before =
            times.stream().filter(each -> each <= at).mapToLong(e -> e).max().orElse(from);
        long after = times.stream().filter(each -> each > at).mapToLong(e -> e).min().orElse(to);
        longest = Math.max(longest, after - before);
      }
      Timeline.Gap gap = timeline.longest(from, to);
      assertEquals(longest, gap.to() - gap.from(), "seed " + seed);
    }
  }
}
