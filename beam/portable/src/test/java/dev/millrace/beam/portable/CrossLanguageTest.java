package dev.millrace.beam.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/// Beam's tests of pipelines for Java that have transforms in Python.
@Tag("thorough")
class CrossLanguageTest {
  private static final String TESTS =
      "org.apache.beam.sdk.util.construction.ValidateRunnerXlangTest$";
  private static final Pattern PORT = Pattern.compile("expands on port (\\d+)");

  @TempDir private static Path directory;
  private static Process expansion;

  @BeforeAll
  static void start() throws Exception {
    PythonSdk.install();
    Path output = directory.resolve("expansion");
    expansion = PythonSdk.start(output, Map.of(), List.of(PythonSdk.program("expansion.py")));
    System.setProperty("expansionPort", port(output));
    System.setProperty(
        "beamTestPipelineOptions",
        "[\"--runner=PortableTestRunner\",\"--defaultEnvironmentType=EMBEDDED\"]");
  }

  private static String port(Path output) throws IOException, InterruptedException {
    while (true) {
      String said = Files.readString(output);
      Matcher found = PORT.matcher(said);
      if (found.find()) {
        return found.group(1);
      }
      assertTrue(!expansion.waitFor(20, TimeUnit.MILLISECONDS), said);
    }
  }

  @AfterAll
  static void stop() {
    if (expansion != null) {
      expansion.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CoGroupByKeyTest",
        "CombineGloballyTest",
        "CombinePerKeyTest",
        "FlattenTest",
        "GroupByKeyTest",
        "MultiInputOutputWithSideInputTest",
        "PartitionTest",
        "PythonDependenciesTest",
        "SingleInputOutputTest"
      })
  void itIsAsBeamSays(String name) throws ClassNotFoundException {
    Result result = new JUnitCore().run(Request.method(Class.forName(TESTS + name), "test"));
    List<String> failures = result.getFailures().stream().map(Failure::getTrace).toList();
    assertEquals(List.of(), failures);
    assertEquals(1, result.getRunCount() - result.getIgnoreCount());
  }
}
