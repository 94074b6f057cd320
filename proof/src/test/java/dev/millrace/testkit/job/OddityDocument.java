package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The page of the documents that has the tables of oddities.
final class OddityDocument {
  private static final Path PAGE = Path.of("../docs/oddities.md");
  private static final String WRITE = "millrace.write-oddities";

  private OddityDocument() {}

  /// Requires that the page has a table, in the place of what is odd with something.
  static synchronized void requireWritten(String what, OddityTable table) throws IOException {
    String beginning = "<!-- A test writes what is odd with %s. -->".formatted(what);
    String ending = "<!-- What is odd with %s ends here. -->".formatted(what);
    List<String> page = Files.readAllLines(PAGE);
    int begin = page.indexOf(beginning) + 1;
    int end = page.indexOf(ending);
    assertTrue(0 < begin && begin <= end, PAGE + " has no place for what is odd with " + what);
    String tables = "\n" + String.join("\n", table.lines()) + "\n";
    if (Boolean.getBoolean(WRITE)) {
      String before = String.join("\n", page.subList(0, begin));
      String behind = String.join("\n", page.subList(end, page.size()));
      Files.writeString(PAGE, before + "\n" + tables + "\n" + behind + "\n");
    }
    List<String> found = Files.readAllLines(PAGE);
    assertEquals(
        tables,
        String.join("\n", found.subList(begin, found.indexOf(ending))),
        "The tables in docs/oddities.md are others; -D" + WRITE + "=true writes them.");
  }
}
