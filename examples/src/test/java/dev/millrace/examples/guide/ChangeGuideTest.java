package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.ChangeReport;
import dev.millrace.internal.engine.plan.Formats;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.plan.PlanPreview;
import dev.millrace.internal.engine.plan.StateSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What the guide to changing an application shows is what becomes of the state there.
class ChangeGuideTest {
  /// The first version of the guide's application.
  private static final class First implements StreamApplication {
    record Profile(int n) {}

    @Override
    public String name() {
      return new ChangeGuide().name();
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(
              Kafka.source("visits")
                  .value(Serdes.record(ChangeGuide.Visit.class))
                  .startAtEarliest())
          .groupBy("by-user", ChangeGuide.Visit::user)
          .aggregate("profiles", () -> new Profile(0), (profile, _) -> new Profile(profile.n + 1))
          .toStream()
          .to(Kafka.sink("visitors").key(Serdes.string()).value(Serdes.record(Profile.class)));
    }
  }

  @Test
  void theGuideShowsTheDifferenceOfItsTwoVersions() throws IOException {
    PlanDescription before = PlanPreview.of(new First(), Map.of()).description();
    Plan plan = PlanPreview.after(new ChangeGuide(), new First().name(), new TreeMap<>(), before);
    Formats formats = Formats.of(plan);
    PlanDiff diff = PlanDiff.between(before, plan.description(), formats);
    SortedMap<Integer, Long> bytes = new TreeMap<>();
    before.storeNames().keySet().forEach(store -> bytes.put(store, (6L << 30) / 5));
    ChangeReport report =
        ChangeReport.of(diff, before, plan.description(), formats, new StateSizes(bytes, 4, 4, 0));
    List<String> shown =
        Files.readString(Path.of("../docs/guide/change.md"))
            .lines()
            .dropWhile(line -> !line.contains("plan differs from the recorded one"))
            .skip(1)
            .takeWhile(line -> !line.contains("--change.accept="))
            .filter(line -> !line.isEmpty())
            .toList();
    int lines = report.lines().size();
    assertEquals(
        report.lines(), shown.subList(0, lines).stream().map(line -> line.substring(6)).toList());
    List<String> sentences = new ArrayList<>(List.of(diff.consequences()));
    sentences.addAll(report.notes());
    assertEquals(
        String.join(" ", sentences),
        shown.subList(lines, shown.size()).stream()
            .map(String::strip)
            .collect(Collectors.joining(" ")));
  }
}
