package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The walks in `docs/architecture.md` lead past files that exist, and the one from fetch to commit
/// is short enough to be read.
class WalksTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern HEADING = Pattern.compile("#+ (.+)");
  private static final Pattern STEP =
      Pattern.compile("\\d+\\. \\[`(\\w+)`]\\(([^)]+\\.java)\\): [A-Z].*\\.");
  private static final String TO_COMMIT = "A batch, from fetch to commit";
  private static final int MOST_FILES = 35;
  private static final int MOST_LINES = 8_460;

  /// Returns the files of each walk, in order.
  private static Map<String, List<Path>> walks(List<String> page) {
    Map<String, List<Path>> walks = new LinkedHashMap<>();
    String heading = "";
    for (String line : page) {
      Matcher step = STEP.matcher(line);
      Matcher headed = HEADING.matcher(line);
      if (headed.matches()) {
        heading = headed.group(1);
      } else if (step.matches()) {
        Path file = DOCS.resolve(step.group(2)).normalize();
        assertEquals(step.group(1) + ".java", file.getFileName().toString());
        walks.computeIfAbsent(heading, _ -> new ArrayList<>()).add(file);
      }
    }
    return walks;
  }

  @Test
  void filesOfTheWalksExist() throws IOException {
    Map<String, List<Path>> walks = walks(Files.readAllLines(DOCS.resolve("architecture.md")));
    assertEquals(3, walks.size(), () -> "Walks: " + walks.keySet());
    walks.forEach((name, files) -> {
      assertTrue(files.size() > 5, name);
      files.forEach(file -> assertTrue(Files.exists(file), () -> name + ": " + file));
    });
  }

  @Test
  void theWayFromFetchToCommitIsShort() throws IOException {
    List<Path> files = walks(Files.readAllLines(DOCS.resolve("architecture.md"))).get(TO_COMMIT);
    int lines = 0;
    for (Path file : files) {
      int own = Files.readAllLines(file).size();
      System.out.printf("%5d %s%n", own, file.getFileName());
      lines += own;
    }
    System.out.printf("%5d in %d files%n", lines, files.size());
    assertTrue(files.size() <= MOST_FILES, files.size() + " files");
    assertTrue(lines <= MOST_LINES, lines + " lines");
  }

  @Test
  void aWalkPastAFileThatIsGoneIsSeen() {
    List<Path> files =
        walks(List.of("### Some walk", "1. [`Gone`](../engine/Gone.java): Is gone."))
            .get("Some walk");
    assertEquals(List.of(Path.of("..", "engine", "Gone.java")), files);
    assertTrue(Files.notExists(files.getFirst()));
  }
}
