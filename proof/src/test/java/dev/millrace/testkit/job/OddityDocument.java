package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Checks and writes `docs/oddities.md`, the page with the tables of oddities.
final class OddityDocument {
  private static final Path PAGE = Path.of("../docs/oddities.md");
  private static final String WRITE = "millrace.write-oddities";

  private OddityDocument() {}

  /// Requires that the page has a table between its two marks; with the system property
  /// `millrace.write-oddities` the table is written there first.
  ///
  /// @param what what the marks name, such as "records"
  static synchronized void requireWritten(String what, OddityTable table) throws IOException {
    String beginning =
        "<!-- Written by a test: oddities of %s. Do not edit by hand. -->".formatted(what);
    String ending = "<!-- End of the oddities of %s. -->".formatted(what);
    List<String> page = Files.readAllLines(PAGE);
    int begin = page.indexOf(beginning) + 1;
    int end = page.indexOf(ending);
    assertTrue(0 < begin && begin <= end, PAGE + " has no place for the oddities of " + what);
    String tables = "\n" + String.join("\n", table.lines()) + "\n";
    if (Boolean.getBoolean(WRITE)) {
      String before = String.join("\n", page.subList(0, begin));
      String after = String.join("\n", page.subList(end, page.size()));
      Files.writeString(PAGE, before + "\n" + tables + "\n" + after + "\n");
    }
    List<String> found = Files.readAllLines(PAGE);
    assertEquals(
        tables,
        String.join("\n", found.subList(begin, found.indexOf(ending))),
        "docs/oddities.md does not have the tables that the test found; run it with -D"
            + WRITE
            + "=true to write them.");
  }
}
