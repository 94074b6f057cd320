package dev.millrace.beam.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/// The tests by which Beam says what a runner must do, on the log in memory.
class ValidatesRunnerTest {
  private static final String PACKAGE = "org.apache.beam.sdk.";
  private static final String OPTIONS =
      "[\"--runner=TestMillraceRunner\",\"--testTimeoutSeconds=120\"]";

  @BeforeAll
  static void options() {
    System.setProperty("beamTestPipelineOptions", OPTIONS);
  }

  /// Tests that a newer Beam adds are not passed over in silence.
  @Test
  void everyTestOfBeamIsKnown() {
    SortedSet<String> known = new TreeSet<>(KnownTests.run());
    known.addAll(KnownTests.leftOut().keySet());
    SortedSet<String> found = new TreeSet<>();
    BeamTests.all().forEach(each -> found.add(each.name()));
    assertEquals(found, known);
  }

  /// A few of each kind: those that take long are in the thorough tier.
  @TestFactory
  Stream<DynamicTest> someOfThem() {
    return tests(KnownTests.run().stream().filter(Sample::has));
  }

  @TestFactory
  @Tag("thorough")
  Stream<DynamicTest> theOthers() {
    return tests(KnownTests.run().stream().filter(name -> !Sample.has(name)));
  }

  private static Stream<DynamicTest> tests(Stream<String> names) {
    return names.map(name -> DynamicTest.dynamicTest(name, () -> run(name)));
  }

  private static void run(String name) throws ClassNotFoundException {
    int separator = name.indexOf('#');
    Class<?> type = Class.forName(PACKAGE + name.substring(0, separator));
    Result result = new JUnitCore().run(Request.method(type, name.substring(separator + 1)));
    List<Failure> failures = new ArrayList<>(result.getFailures());
    if (!failures.isEmpty()) {
      throw new AssertionError(
          "%s: %s".formatted(name, failures.getFirst().getMessage()),
          failures.getFirst().getException());
    }
    assertEquals(1, result.getRunCount(), name + " was not run");
    assertEquals(0, result.getIgnoreCount(), name + " was ignored");
  }
}
