package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.PlanPreview;
import dev.millrace.api.StreamApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the guides show is what is built here.
class GuidesTest {
  private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({
    "dead-letters.md, main/java/dev/millrace/examples/guide/DeadLettersGuide.java"
        + " test/java/dev/millrace/examples/guide/DeadLettersGuideTest.java",
    "time.md, main/java/dev/millrace/examples/guide/TimeGuide.java",
    "tables.md, main/java/dev/millrace/examples/guide/TablesGuide.java",
    "testing.md, test/java/dev/millrace/examples/guide/TestingGuideTest.java"
  })
  void everyPieceOfCodeIsAPartOfWhatIsBuilt(String page, String files) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String file : files.split(" ")) {
      all.append(Files.readString(Path.of("src", file)));
    }
    String built = withoutBlanks(all.toString());
    Matcher shown = CODE.matcher(Files.readString(Path.of("../docs/guide/" + page)));
    int count = 0;
    while (shown.find()) {
      assertTrue(built.contains(withoutBlanks(shown.group(1))), shown.group(1));
      count++;
    }
    assertTrue(count > 0);
  }

  @Test
  void theApplicationsCanBePlanned() {
    for (StreamApplication shown :
        List.of(new TimeGuide(), new TablesGuide(), new DeadLettersGuide(false), new WordCount())) {
      assertFalse(PlanPreview.of(shown, Map.of()).stages().isEmpty());
    }
  }

  private static String withoutBlanks(String code) {
    return code.replaceAll("\\s", "");
  }
}
