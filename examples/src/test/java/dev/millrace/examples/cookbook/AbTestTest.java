package dev.millrace.examples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.cookbook.AbTest.Comparison;
import dev.millrace.examples.cookbook.AbTest.Outcome;
import dev.millrace.examples.cookbook.AbTest.Visit;
import dev.millrace.testkit.job.TestJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AbTestTest {
  private static final List<String> PAGES = List.of("jobs", "feed", "sign-up");
  private static final AbTest TEST = new AbTest("large-button", 0.2);

  private static Visit visit(Drawn drawn) {
    return new Visit(
        "member" + drawn.below(60), drawn.oneOf(PAGES), drawn.below(3) == 0, drawn.time(180));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void bothVersionsOfAPageAreCompared(long seed) {
    Drawn drawn = new Drawn(seed, 500);
    List<Visit> visits = new ArrayList<>();
    try (TestJob job = TestJob.of(TEST).seed(seed)) {
      for (int step = 0; step < 12; step++) {
        for (int i = 0; i < 20; i++) {
          Visit visit = visit(drawn);
          visits.add(visit);
          job.input("visits").send(visit);
        }
        drawn.goOn(job);
      }
      Instant end = drawn.now().plusSeconds(7200);
      job.input("visits").sendToEveryPartition(new Visit("end", "end", false, end));
      assertEquals(comparisons(visits), found(job));
    }
  }

  private static Map<String, Comparison> found(TestJob job) {
    Map<String, Comparison> found = new TreeMap<>();
    for (Object value : job.output("comparisons").values()) {
      Comparison comparison = (Comparison) value;
      found.put(comparison.page() + " " + comparison.hour(), comparison);
    }
    return found;
  }

  private static Map<String, Comparison> comparisons(List<Visit> visits) {
    Map<String, Comparison> comparisons = new TreeMap<>();
    for (Visit visit : visits) {
      boolean isNew = TEST.isNew(visit.member()); // as the site asks it
      Instant hour = Instant.ofEpochSecond(visit.at().getEpochSecond() / 3600 * 3600);
      Comparison before =
          comparisons.getOrDefault(
              visit.page() + " " + hour,
              new Comparison(visit.page(), hour, new Outcome(0, 0), new Outcome(0, 0)));
      comparisons.put(
          visit.page() + " " + hour,
          new Comparison(
              visit.page(),
              hour,
              isNew ? with(before.newVersion(), visit) : before.newVersion(),
              isNew ? before.oldVersion() : with(before.oldVersion(), visit)));
    }
    return comparisons;
  }

  private static Outcome with(Outcome outcome, Visit visit) {
    return new Outcome(outcome.visits() + 1, outcome.done() + (visit.done() ? 1 : 0));
  }

  @Test
  void aMemberHasOneVersionAndAnotherTestOtherMembers() {
    AbTest other = new AbTest("small-button", 0.2);
    int both = 0;
    int first = 0;
    for (int i = 0; i < 10_000; i++) {
      first += TEST.isNew("member" + i) ? 1 : 0;
      both += TEST.isNew("member" + i) && other.isNew("member" + i) ? 1 : 0;
    }
    assertTrue(first > 1_800 && first < 2_200, first + " of 10000 members");
    assertTrue(both > 250 && both < 550, both + " members in both");
  }

  @Test
  void aSampleHasAllVisitsOfItsMembers() {
    Drawn drawn = new Drawn(7, 60);
    List<Visit> visits = new ArrayList<>();
    try (TestJob job = TestJob.of(TEST)) {
      for (int i = 0; i < 600; i++) {
        Visit visit = visit(drawn);
        visits.add(visit);
        job.input("visits").send(visit);
      }
      Set<Object> kept = new HashSet<>(job.output("some-visits").values());
      Set<String> members = new HashSet<>();
      kept.forEach(visit -> members.add(((Visit) visit).member()));
      assertTrue(!members.isEmpty() && members.size() < 20, members.toString());
      Set<Object> all = new HashSet<>(visits);
      all.removeIf(visit -> !members.contains(((Visit) visit).member()));
      assertEquals(all, kept);
    }
  }
}
