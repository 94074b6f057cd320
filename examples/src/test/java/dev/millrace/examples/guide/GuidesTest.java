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
    "calls.md, main/java/dev/millrace/examples/guide/CallsGuide.java"
        + " test/java/dev/millrace/examples/guide/CallsGuideTest.java",
    "streams.md, main/java/dev/millrace/examples/guide/StreamsGuide.java",
    "dead-letters.md, main/java/dev/millrace/examples/guide/DeadLettersGuide.java"
        + " test/java/dev/millrace/examples/guide/DeadLettersGuideTest.java",
    "time.md, main/java/dev/millrace/examples/guide/TimeGuide.java",
    "sketches.md, main/java/dev/millrace/examples/guide/SketchesGuide.java",
    "tables.md, main/java/dev/millrace/examples/guide/TablesGuide.java",
    "remote-tables.md, test/java/dev/millrace/examples/guide/RemoteTablesGuide.java",
    "testing.md, test/java/dev/millrace/examples/guide/TestingGuideTest.java"
  })
  void everyPieceOfCodeIsAPartOfWhatIsBuilt(String page, String files) throws IOException {
    StringBuilder sources = new StringBuilder();
    for (String file : files.split(" ")) {
      sources.append(Files.readString(Path.of("src", file)));
    }
    String built = withoutBlanks(sources.toString());
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
        List.of(
            new CallsGuide(new CallsGuideTest.FakeBank()),
            new DeadLettersGuide(false),
            new SketchesGuide(),
            new StreamsGuide(),
            new TimeGuide(),
            new TablesGuide(),
            new WordCount())) {
      assertFalse(PlanPreview.of(shown, Map.of()).stages().isEmpty());
    }
  }

  private static String withoutBlanks(String code) {
    return code.replaceAll("\\s", "");
  }
}
