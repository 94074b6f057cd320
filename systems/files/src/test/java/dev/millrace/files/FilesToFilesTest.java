package dev.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job from files to files, through an exchange, crashed at random, writes every count once.
class FilesToFilesTest {
  private static final int SEEDS = 15;
  private static final int FILES = 3;
  private static final int LINES = 120;

  @TempDir private Path directory;

  record Count(String word, long count) {}

  /// Counts words.
  private record Words(Path in, Path out) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(LineFiles.source("words", in).value(Serdes.string()).asBounded())
          .groupBy("by-word", word -> word)
          .aggregate(
              "counts", () -> new Count("", 0), (count, word) -> new Count(word, count.count() + 1))
          .toStream()
          .map(count -> count.word() + " " + count.count())
          .as(Serdes.string())
          .to(LineFiles.sink("counts-out", out).value(Serdes.string()));
    }

    @Override
    public String name() {
      return "words";
    }
  }

  @Test
  void crashesChangeNothing() throws IOException {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Path in = Files.createDirectories(directory.resolve(seed + "/in"));
      Path out = directory.resolve(seed + "/out");
      Map<String, Long> expected = write(in, seed);
      CrashedRun.of(seed, new Words(in, out), Map.of());
      assertEquals(lines(expected), read(out), "seed " + seed);
    }
  }

  private static Map<String, Long> write(Path in, long seed) throws IOException {
    Seed random = new Seed(seed).fork("words");
    Map<String, Long> counts = new TreeMap<>();
    for (int file = 0; file < FILES; file++) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < LINES; i++) {
        String word = "w" + random.below(10);
        counts.merge(word, 1L, Long::sum);
        lines.add(word);
      }
      Files.write(in.resolve("part-" + file + ".txt"), lines);
    }
    return counts;
  }

  /// Each count from 1 to the last, once a word.
  private static List<String> lines(Map<String, Long> counts) {
    List<String> lines = new ArrayList<>();
    counts.forEach((word, most) -> {
      for (long count = 1; count <= most; count++) {
        lines.add(word + " " + count);
      }
    });
    return lines.stream().sorted().toList();
  }

  private static List<String> read(Path out) throws IOException {
    List<String> lines = new ArrayList<>();
    try (var files = Files.list(out)) {
      for (Path file : files.toList()) {
        if (file.toString().endsWith(".jsonl")) {
          lines.addAll(Files.readAllLines(file));
        }
      }
    }
    return lines.stream().sorted().toList();
  }
}
