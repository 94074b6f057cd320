package dev.millrace.beam.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The tests by which Beam says what a runner must do, with pipelines that die again and again and
/// go on from their last commits: what they assert must hold nevertheless.
class ValidatesRunnerWithCrashesTest {
  private static final String LEFT_OUT = "/validates-runner-crashes.txt";
  private static final String OPTIONS =
      "[\"--runner=TestMillraceRunner\",\"--testTimeoutSeconds=120\",\"--crashSeed=1\"]";

  /// One of each thing that is kept: elements of a source, state, timers, holds, panes, views, the
  /// rest of an element, and where a stream of events is.
  private static final List<String> SAMPLE =
      List.of(
          "testing.TestStreamTest#testEarlyPanesOfWindow",
          "testing.TestStreamTest#testProcessingTimeTrigger",
          "transforms.GroupByKeyTest$WindowTests#testGroupByKeyMergingWindows",
          "transforms.ParDoTest$StateTests#testBagState",
          "transforms.ParDoTest$TimerTests#testEventTimeTimerLoop",
          "transforms.ParDoTest$TimerTests#testOutputTimestamp",
          "transforms.SplittableDoFnTest#testOutputAfterCheckpointBounded",
          "transforms.ViewTest#testWindowedSideInputFixedToFixed");

  @BeforeAll
  static void options() {
    System.setProperty("beamTestPipelineOptions", OPTIONS);
  }

  @Test
  void whatIsLeftOutIsRunWithoutCrashes() {
    Set<String> unknown = new TreeSet<>(KnownTests.leftOut(LEFT_OUT).keySet());
    unknown.removeAll(KnownTests.run());
    assertEquals(Set.of(), unknown);
  }

  @TestFactory
  Stream<DynamicTest> someOfThem() {
    return tests(SAMPLE);
  }

  @TestFactory
  @Tag("thorough")
  Stream<DynamicTest> theOthers() {
    Set<String> names = new TreeSet<>(KnownTests.run());
    names.removeAll(KnownTests.leftOut(LEFT_OUT).keySet());
    names.removeAll(new TreeSet<>(SAMPLE));
    return tests(names);
  }

  private static Stream<DynamicTest> tests(Collection<String> names) {
    return names.stream().map(name -> DynamicTest.dynamicTest(name, () -> BeamTests.run(name)));
  }
}
