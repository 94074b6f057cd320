package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StreamApplication;
import dev.millrace.examples.cookbook.AbTest;
import dev.millrace.examples.cookbook.CallGraphs;
import dev.millrace.examples.cookbook.Digests;
import dev.millrace.examples.cookbook.Exceptions;
import dev.millrace.examples.cookbook.MostRead;
import dev.millrace.examples.cookbook.OwnedExceptions;
import dev.millrace.examples.cookbook.SiteSpeed;
import dev.millrace.examples.cookbook.StandardTitles;
import dev.millrace.examples.shop.Shop;
import dev.millrace.internal.engine.plan.PlanPreview;
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

/// What the guides and the cookbook show is what is built here.
class GuidesTest {
  private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({
    "calls.md, main/java/dev/millrace/examples/guide/CallsGuide.java"
        + " test/java/dev/millrace/examples/guide/CallsGuideTest.java",
    "change.md, main/java/dev/millrace/examples/guide/ChangeGuide.java",
    "streams.md, main/java/dev/millrace/examples/guide/StreamsGuide.java",
    "dead-letters.md, main/java/dev/millrace/examples/guide/DeadLettersGuide.java"
        + " test/java/dev/millrace/examples/guide/DeadLettersGuideTest.java",
    "time.md, main/java/dev/millrace/examples/guide/TimeGuide.java",
    "sketches.md, main/java/dev/millrace/examples/guide/SketchesGuide.java",
    "tables.md, main/java/dev/millrace/examples/guide/TablesGuide.java"
        + " main/java/dev/millrace/examples/guide/EmployeesGuide.java",
    "remote-tables.md, test/java/dev/millrace/examples/guide/RemoteTablesGuide.java",
    "shop.md, main/java/dev/millrace/examples/shop/Shop.java",
    "testing.md, test/java/dev/millrace/examples/guide/TestingGuideTest.java",
    "without-kafka.md, test/java/dev/millrace/examples/guide/CountFiles.java"
        + " test/java/dev/millrace/examples/guide/WithoutKafkaGuideTest.java",
    "../cookbook/digests.md, main/java/dev/millrace/examples/cookbook/Digests.java",
    "../cookbook/call-graphs.md, main/java/dev/millrace/examples/cookbook/CallGraphs.java",
    "../cookbook/filtering.md, main/java/dev/millrace/examples/cookbook/Exceptions.java",
    "../cookbook/enriching.md, main/java/dev/millrace/examples/cookbook/OwnedExceptions.java",
    "../cookbook/site-speed.md, main/java/dev/millrace/examples/cookbook/SiteSpeed.java",
    "../cookbook/ab-tests.md, main/java/dev/millrace/examples/cookbook/AbTest.java",
    "../cookbook/standardizing.md, main/java/dev/millrace/examples/cookbook/StandardTitles.java",
    "../cookbook/most-read.md, main/java/dev/millrace/examples/cookbook/MostRead.java"
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
            new EmployeesGuide(),
            new WordCount(),
            new Shop(),
            new Digests(),
            new CallGraphs(),
            new Exceptions(List.of("web-logs", "mail-logs")),
            new OwnedExceptions(),
            new SiteSpeed(),
            new AbTest("large-button", 0.1),
            new StandardTitles(),
            new MostRead())) {
      assertFalse(PlanPreview.of(shown, Map.of()).stages().isEmpty());
    }
  }

  private static String withoutBlanks(String code) {
    return code.replaceAll("\\s", "");
  }
}
