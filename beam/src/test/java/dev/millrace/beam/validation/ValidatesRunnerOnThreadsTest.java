package dev.millrace.beam.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.beam.validation.BeamTests.BeamTest;
import dev.millrace.kafka.embedded.EmbeddedKafka;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The tests by which Beam says what a runner must do, run as users run pipelines: with threads, in
/// memory and on Kafka. Those with a stream of events are left out, as its clock is not that of the
/// machine.
class ValidatesRunnerOnThreadsTest {
  private static final String EVENTS = "UsesTestStream";

  private static final List<String> SAMPLE =
      List.of(
          "transforms.GroupByKeyTest$WindowTests#testGroupByKeyMergingWindows",
          "transforms.ParDoTest$TimerTests#testEventTimeTimerLoop",
          "transforms.SplittableDoFnTest#testOutputAfterCheckpointBounded",
          "transforms.ViewTest#testWindowedSideInputFixedToFixed");

  @TempDir static Path directory;
  private static @Nullable EmbeddedKafka kafka;

  @AfterAll
  static void close() {
    if (kafka != null) {
      kafka.close();
    }
  }

  private static EmbeddedKafka kafka() {
    EmbeddedKafka running = kafka;
    if (running == null) {
      running = EmbeddedKafka.builder(directory.resolve("kafka")).start();
      kafka = running;
    }
    return running;
  }

  /// Returns the tests that are run.
  private static SortedSet<String> names() {
    Set<String> withEvents =
        BeamTests.all().stream()
            .filter(each -> each.categories().stream().anyMatch(name -> name.startsWith(EVENTS)))
            .map(BeamTest::name)
            .collect(Collectors.toSet());
    Set<String> names = new TreeSet<>(KnownTests.run());
    names.removeAll(withEvents);
    return new TreeSet<>(names);
  }

  @Test
  void itIsKnownHowManyAreRun() {
    assertEquals(349, names().size());
  }

  @TestFactory
  Stream<DynamicTest> someInMemory() {
    return tests(SAMPLE, List.of("log=memory"));
  }

  @TestFactory
  @Tag("thorough")
  Stream<DynamicTest> allInMemory() {
    return tests(List.copyOf(names()), List.of("log=memory"));
  }

  @TestFactory
  @Tag("thorough")
  Stream<DynamicTest> allOnKafka() {
    return tests(
        List.copyOf(names()),
        List.of(
            "kafka.bootstrap.servers=" + kafka().bootstrapServers(),
            "state.directory=" + directory.resolve("state")));
  }

  private static Stream<DynamicTest> tests(List<String> names, List<String> settings) {
    List<String> options = new ArrayList<>();
    options.add("--runner=" + WaitingRunner.class.getName());
    options.add("--settings=http.port=-1");
    for (String size : List.of("state.max-key", "state.max-value", "exchanges.max-record")) {
      options.add("--settings=" + size + "=64MB"); // for tests of large keys
    }
    settings.forEach(each -> options.add("--settings=" + each));
    String json =
        options.stream()
            .map(each -> '"' + each.replace("\\", "\\\\") + '"')
            .collect(Collectors.joining(",", "[", "]"));
    return names.stream()
        .map(name ->
            DynamicTest.dynamicTest(
                name,
                () -> {
                  System.setProperty("beamTestPipelineOptions", json);
                  BeamTests.run(name);
                }));
  }
}
