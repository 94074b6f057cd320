package dev.millrace.beam.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The tests by which Beam says what a runner must do, on the log in memory.
class ValidatesRunnerTest {
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
    return names.map(name -> DynamicTest.dynamicTest(name, () -> BeamTests.run(name)));
  }
}
