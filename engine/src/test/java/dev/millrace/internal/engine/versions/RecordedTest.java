package dev.millrace.internal.engine.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordedTest {
  /// A plan of a program that reads a topic and is told from others of those by a name.
  private static PlanDescription plan(int topic, int name) {
    return new PlanDescription(
        List.of(
            new Part(Kind.APPLICATION, "app", Parameters.NONE),
            new Part(Kind.INPUT, "topic-" + topic, Parameters.NONE),
            new Part(Kind.OPERATOR, "count-" + name, Parameters.of("count"))));
  }

  /// As the topic is compacted, only the last of the records with the same plan may be left.
  @Test
  void theSameIsRecordedWhateverIsCompacted() {
    for (int seed = 0; seed < 1_000; seed++) {
      Random random = new Random(seed);
      List<PlanDescription> all = new ArrayList<>();
      Recorded recorded = new Recorded();
      for (int i = 0; i < 12; i++) {
        PlanDescription next = plan(random.nextInt(3), random.nextInt(2));
        recorded.recorded(next, null);
        all.add(next);
        assertEquals(next, recorded.plan(), "seed " + seed);
      }
      Recorded compacted = new Recorded();
      for (int i = 0; i < all.size(); i++) {
        boolean later = all.subList(i + 1, all.size()).contains(all.get(i));
        if (!later || random.nextBoolean()) {
          compacted.recorded(all.get(i), null);
        }
      }
      assertEquals(all.getLast(), compacted.plan(), "seed " + seed + ", compacted");
      assertEquals(Set.copyOf(all), Set.copyOf(compacted.byHash().values()));
      assertEquals(recorded.versions(), compacted.versions());
    }
  }
}
