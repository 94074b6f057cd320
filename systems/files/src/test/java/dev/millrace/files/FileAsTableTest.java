package dev.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The lines of files as tables that are joined, under crashes, against a look at all lines.
class FileAsTableTest {
  private static final int SEEDS = 12;
  private static final int PARTITIONS = 2;

  @TempDir private Path directory;

  private static String part(String line, int index) {
    return line.split(" ", -1)[index];
  }

  /// Lines of a number and a country's code, and of a code and its name.
  private record Named(Path parcels, Path countries) implements StreamApplication {
    @Override
    public String name() {
      return "named";
    }

    private static Table<String, String> table(Topology topology, String name, Path in) {
      return topology
          .from(LineFiles.source(name, in).value(Serdes.string()).asBounded())
          .groupBy("by-" + name, line -> part(line, 0))
          .latest("all-" + name);
    }

    @Override
    public void describe(Topology topology) {
      table(topology, "parcels", parcels)
          .leftJoin(
              "naming",
              table(topology, "countries", countries),
              parcel -> part(parcel, 1),
              (parcel, country) -> parcel + " to " + (country == null ? "?" : part(country, 1)))
          .to(Kafka.sink("named").key(Serdes.string()).value(Serdes.string()));
    }
  }

  @Test
  void filesAreTablesWhoseLastLinesCount() throws IOException {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Seed random = new Seed(seed).fork("lines");
      Path parcels = Files.createDirectories(directory.resolve(seed + "/parcels"));
      Path countries = Files.createDirectories(directory.resolve(seed + "/countries"));
      Map<String, String> lastParcels = write(parcels, "p", 30, random);
      Map<String, String> lastCountries = write(countries, "c", 6, random);
      Map<String, String> expected = new TreeMap<>();
      lastParcels.forEach((key, line) -> {
        String country = lastCountries.get(part(line, 1));
        expected.put(key, line + " to " + (country == null ? "?" : part(country, 1)));
      });
      assertEquals(expected, run(seed, new Named(parcels, countries)), "seed " + seed);
    }
  }

  /// Two files, each with keys of its own.
  private static Map<String, String> write(Path in, String prefix, int keys, Seed random)
      throws IOException {
    Map<String, String> last = new TreeMap<>();
    for (int file = 0; file < 2; file++) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 2 * keys; i++) {
        String key = prefix + (2 * random.below(keys / 2) + file);
        String line = key + " c" + random.below(8);
        last.put(key, line);
        lines.add(line);
      }
      Path written = Files.write(in.resolve("part-" + file + ".txt"), lines);
      // That is the lines' time, and the simulation's clock begins with 2026.
      Files.setLastModifiedTime(written, FileTime.from(Instant.parse("2025-12-01T00:00:00Z")));
    }
    return last;
  }

  private static Map<String, String> run(long seed, Named named) {
    Simulation simulation = CrashedRun.of(seed, named, Map.of("named", PARTITIONS));
    Map<String, String> found = new TreeMap<>();
    for (int i = 0; i < PARTITIONS; i++) {
      for (ModelRecord record : simulation.log().records("named", i)) {
        String key = Objects.requireNonNull(record.key()).toUtf8();
        if (record.value() == null) {
          found.remove(key);
        } else {
          found.put(key, record.value().toUtf8());
        }
      }
    }
    return found;
  }
}
