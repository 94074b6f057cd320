package dev.millrace.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.config.ConfigLoader;
import dev.millrace.config.Effective;
import dev.millrace.kafka.embedded.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the guides to pipelines of Beam show is run, and the settings and options that they name
/// are there.
class BeamGuidesTest {
  private static final Path GUIDES = Path.of("..", "docs", "guide");
  private static final Pattern SETTING = Pattern.compile("`([a-z]+\\.[a-z][a-z.-]*)`");
  private static final Pattern OPTION = Pattern.compile("`--([a-zA-Z]+)[=`]");
  private static final Pattern PLACE = Pattern.compile("`(--settings=[^`]+)`");
  private static final Pattern TESTS = Pattern.compile("-DbeamTestPipelineOptions='([^']+)'");

  /// What looks like a setting, and is none, and options of Beam itself.
  private static final Set<String> OTHERS = Set.of("millrace.yaml", "group.id");

  private static final Set<String> OF_BEAM = Set.of("runner", "jobName", "experiments");

  @TempDir Path directory;

  private static String page(String name) throws IOException {
    return Files.readString(GUIDES.resolve(name));
  }

  private static String section(String page, String heading) {
    int begin = page.indexOf("\n## " + heading + "\n");
    assertTrue(begin >= 0, heading);
    int end = page.indexOf("\n## ", begin + 1);
    return page.substring(begin, end < 0 ? page.length() : end);
  }

  /// Each match of a pattern, once.
  private static Set<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void run(PipelineOptions options) {
    Pipeline pipeline = Pipeline.create(options);
    PAssert.that(pipeline.apply(Create.of("one", "two", "two")).apply(Count.perElement()))
        .containsInAnyOrder(List.of(KV.of("one", 1L), KV.of("two", 2L)));
    assertEquals(State.DONE, pipeline.run().waitUntilFinish());
  }

  @Test
  void aPipelineRunsWithTheOptionsThatAreShown() throws IOException {
    List<String> shown =
        section(page("beam.md"), "Run a pipeline")
            .lines()
            .filter(line -> line.startsWith("    --"))
            .flatMap(line -> Arrays.stream(line.strip().split(" ")))
            .toList();
    assertTrue(shown.contains("--runner=MillraceRunner"), shown.toString());

    run(PipelineOptionsFactory.fromArgs(shown.toArray(String[]::new)).withValidation().create());
  }

  @Test
  void aPipelineRunsInEachPlaceThatIsShown() throws Exception {
    Set<String> places = all(PLACE, section(page("beam.md"), "Where it runs"));
    assertEquals(3, places.size(), places.toString());
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory.resolve("kafka")).start()) {
      int runs = 0;
      for (String place : places) {
        List<String> options =
            new ArrayList<>(
                List.of(
                    "--runner=MillraceRunner",
                    "--jobName=guide-" + runs++,
                    place.replace("HOST:9092", kafka.bootstrapServers()),
                    "--settings=state.directory=" + directory.resolve("state")));
        if (place.contains("exchanges")) {
          options.add("--settings=kafka.bootstrap.servers=" + kafka.bootstrapServers());
        }
        run(
            PipelineOptionsFactory.fromArgs(options.toArray(String[]::new))
                .withValidation()
                .create());
      }
    }
  }

  @Test
  void testsRunWithTheOptionsThatAreShown() throws IOException {
    Matcher shown = TESTS.matcher(section(page("beam.md"), "Tests of pipelines"));
    assertTrue(shown.find());
    String before = System.getProperty(TestPipeline.PROPERTY_BEAM_TEST_PIPELINE_OPTIONS);
    System.setProperty(TestPipeline.PROPERTY_BEAM_TEST_PIPELINE_OPTIONS, shown.group(1));
    try {
      PipelineOptions options = TestPipeline.testingPipelineOptions();
      assertEquals(TestMillraceRunner.class, options.getRunner());
      run(options);
    } finally {
      if (before == null) {
        System.clearProperty(TestPipeline.PROPERTY_BEAM_TEST_PIPELINE_OPTIONS);
      } else {
        System.setProperty(TestPipeline.PROPERTY_BEAM_TEST_PIPELINE_OPTIONS, before);
      }
    }
  }

  @Test
  void theSettingsAndOptionsThatAreNamedAreThere() throws IOException {
    Set<String> settings =
        new ConfigLoader(directory, Map.of())
            .load(List.of()).effective().stream()
                .map(Effective::key)
                .collect(Collectors.toCollection(TreeSet::new));
    Set<String> options =
        Stream.of(MillracePipelineOptions.class.getMethods())
            .filter(method -> method.getName().startsWith("get"))
            .map(method -> method.getName().substring(3).toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    for (String name : List.of("beam.md", "beam-migration.md")) {
      List<String> missing = new ArrayList<>(all(SETTING, here(page(name))));
      assertFalse(missing.isEmpty(), name);
      missing.removeAll(settings);
      missing.removeAll(OTHERS);
      assertEquals(List.of(), missing, "no such settings in " + name);
      List<String> unknown = new ArrayList<>(all(OPTION, page(name)));
      unknown.removeIf(option -> options.contains(option.toLowerCase(Locale.ROOT)));
      unknown.removeAll(OF_BEAM);
      assertEquals(List.of(), unknown, "no such options in " + name);
    }
  }

  /// A page without the lines that are about settings of Samza.
  private static String here(String page) {
    return page.lines()
        .filter(line -> !line.contains("`task.") && !line.contains("`job."))
        .collect(Collectors.joining("\n"));
  }
}
