package dev.millrace.examples.trending;

import static dev.millrace.json.Json.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.examples.trending.TrendingTags.ProfileUpdate;
import dev.millrace.examples.trending.TrendingTags.Section;
import dev.millrace.examples.trending.TrendingTags.Trend;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.Simulation;
import dev.millrace.testkit.sim.SimulationSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The paper's first example on a generated stream, against a plain computation.
class TrendingTagsTest {
  private static final int PARTITIONS = 3;
  private static final int UPDATES = 6_000;
  private static final long WINDOW_MILLIS = 10_000;
  private static final int RANKS = 10;
  private static final Serde<ProfileUpdate> UPDATE = json(ProfileUpdate.class);
  private static final Serde<Trend> TREND = json(Trend.class);

  @Test
  void everyWindowThatIsOverHasItsTenMostUsedTags() {
    Simulation simulation =
        new Simulation(
            3, new TrendingTags(), SimulationSettings.of("profile-updates").withShape(2, 2, false));
    simulation.log().createTopic("profile-updates", PARTITIONS);
    simulation.log().createTopic("trending-tags", 1);
    long[] reached = new long[PARTITIONS];
    List<ProfileUpdate> updates = write(simulation, reached);
    long watermark = java.util.Arrays.stream(reached).min().orElseThrow();
    List<Trend> expected = expected(updates, watermark);
    assertTrue(expected.size() > 300, "The stream is too short to show anything.");

    simulation.startAll();
    while (trends(simulation, watermark).size() < expected.size()) {
      for (int i = 0; i < 500; i++) {
        simulation.step();
      }
      if (simulation.steps() == 5_000) {
        simulation.crash(0, true);
        simulation.startAll();
      }
      assertTrue(simulation.steps() < 200_000, simulation::state);
    }
    assertEquals(expected, trends(simulation, watermark));
  }

  private static List<ProfileUpdate> write(Simulation simulation, long[] reached) {
    Seed random = new Seed(7).fork("updates");
    List<ProfileUpdate> updates = new ArrayList<>();
    long at = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    for (int i = 0; i < UPDATES; i++) {
      at += random.below(200);
      List<String> tags = new ArrayList<>();
      for (int tag = random.below(4); tag > 0; tag--) {
        // Some tags are used more than others.
        tags.add("tag" + Math.min(random.below(40), random.below(40)));
      }
      Section section = random.pick(List.of(Section.values()));
      ProfileUpdate update =
          new ProfileUpdate("member" + random.below(500), section, tags, Instant.ofEpochMilli(at));
      updates.add(update);
      int partition = random.below(PARTITIONS);
      reached[partition] = at;
      BytesWriter out = new BytesWriter();
      UPDATE.write(update, out);
      simulation
          .log()
          .append(
              new Split("profile-updates", partition),
              at,
              new byte[0],
              out.toByteArray(),
              new byte[0]);
    }
    return updates;
  }

  private static List<Trend> expected(List<ProfileUpdate> updates, long watermark) {
    Map<Long, Map<String, Long>> windows = new TreeMap<>();
    for (ProfileUpdate update : updates) {
      long start = Math.floorDiv(update.at().toEpochMilli(), WINDOW_MILLIS) * WINDOW_MILLIS;
      if (update.section() != Section.PHOTO && start + WINDOW_MILLIS <= watermark) {
        Map<String, Long> counts = windows.computeIfAbsent(start, _ -> new TreeMap<>());
        update.tags().forEach(tag -> counts.merge(tag, 1L, Long::sum));
      }
    }
    List<Trend> expected = new ArrayList<>();
    windows.forEach((start, counts) -> {
      List<Map.Entry<String, Long>> ranked = new ArrayList<>(counts.entrySet());
      ranked.sort(
          Map.Entry.<String, Long>comparingByValue()
              .reversed()
              .thenComparing(Map.Entry.comparingByKey()));
      for (int rank = 1; rank <= Math.min(RANKS, ranked.size()); rank++) {
        Map.Entry<String, Long> entry = ranked.get(rank - 1);
        expected.add(
            new Trend(Instant.ofEpochMilli(start), rank, entry.getKey(), entry.getValue()));
      }
    });
    return expected;
  }

  private static List<Trend> trends(Simulation simulation, long watermark) {
    List<Trend> trends = new ArrayList<>();
    for (ModelRecord record : simulation.log().records("trending-tags")) {
      Trend trend = TREND.read(Objects.requireNonNull(record.value()));
      // An idle partition lets later windows end too.
      if (trend.windowStart().toEpochMilli() + WINDOW_MILLIS <= watermark) {
        trends.add(trend);
      }
    }
    trends.sort(Comparator.comparing(Trend::windowStart).thenComparingInt(Trend::rank));
    return trends;
  }
}
