package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each operator does with odd records what it does with plain ones, in the odd form, or refuses
/// them and says where and what to do.
class OdditiesTest {
  private static final Path DOCUMENT = Path.of("../docs/oddities.md");
  private static final String BEGIN = "<!-- What follows is written by OdditiesTest. -->";
  private static final String END = "<!-- What was written by OdditiesTest ends here. -->";
  private static final String WRITE = "millrace.write-oddities";

  static Set<String> operators() {
    return OddityTable.operators();
  }

  @ParameterizedTest
  @MethodSource("operators")
  void nothingOddIsTakenInSilence(String operator) {
    assertTrue(OddityTable.row(operator).size() > 10);
  }

  @Test
  void theDocumentSaysWhatTheyDo() throws IOException {
    List<String> document = Files.readAllLines(DOCUMENT);
    int begin = document.indexOf(BEGIN) + 1;
    int end = document.indexOf(END);
    assertTrue(0 < begin && begin <= end, DOCUMENT + " has no place for the tables.");
    String tables = "\n" + String.join("\n", OddityTable.lines()) + "\n";
    if (Boolean.getBoolean(WRITE)) {
      String before = String.join("\n", document.subList(0, begin));
      String behind = String.join("\n", document.subList(end, document.size()));
      Files.writeString(DOCUMENT, before + "\n" + tables + "\n" + behind + "\n");
    }
    List<String> written = Files.readAllLines(DOCUMENT);
    assertEquals(
        tables,
        String.join("\n", written.subList(begin, written.indexOf(END))),
        "The tables in docs/oddities.md are others; -D" + WRITE + "=true writes them.");
  }
}
