package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application on Kafka whose records change while values of them are in a store and in an
/// exchange.
class EvolutionOnKafkaTest {
  @TempDir Path directory;

  /// What all versions of a visit have, so that one function gives the keys of all.
  private interface OfUser {
    String user();
  }

  private static final Mapper<OfUser, String> BY_USER = visit -> visit.user();

  /// What the program was first.
  private static final class First {
    record FirstVisit(String user) implements OfUser {}

    record FirstProfile(int n, String removed) {}

    static void describe(Topology topology, String name) {
      topology
          .from(source(name))
          .map(user -> new FirstVisit(user))
          .groupBy("by-user", BY_USER)
          .aggregate(
              "profiles",
              () -> new FirstProfile(0, "gone"),
              (profile, visit) -> new FirstProfile(profile.n + 1, "gone"))
          .toStream()
          .mapValues(profile -> "n=" + profile.n)
          .to(sink(name));
    }
  }

  private record LaterVisit(String user, @Nullable String page) implements OfUser {}

  /// What later programs have in common, whatever they keep.
  private static <P extends Record> void describe(
      Topology topology,
      String name,
      Initializer<P> empty,
      Aggregator<P, LaterVisit> aggregator,
      Mapper<P, String> text) {
    topology
        .from(source(name))
        .map(user -> new LaterVisit(user, "home"))
        .groupBy("by-user", BY_USER)
        .aggregate("profiles", empty, aggregator)
        .toStream()
        .mapValues(text)
        .to(sink(name));
  }

  /// A component is renamed and widened, one added, one removed, and the exchange carries more.
  private static final class Second {
    record SecondProfile(@Was("n") long visits, @Nullable String last) {}

    static void describe(Topology topology, String name) {
      EvolutionOnKafkaTest.describe(
          topology,
          name,
          () -> new SecondProfile(0, null),
          (profile, visit) -> new SecondProfile(profile.visits + 1, visit.page()),
          profile -> "visits=" + profile.visits + " " + profile.last);
    }
  }

  /// The number is as narrow as it was at first.
  private static final class Narrower {
    record NarrowerProfile(@Was("n") int visits, @Nullable String last) {}

    static void describe(Topology topology, String name) {
      EvolutionOnKafkaTest.describe(
          topology,
          name,
          () -> new NarrowerProfile(0, null),
          (profile, visit) -> new NarrowerProfile(profile.visits + 1, visit.page()),
          profile -> "never");
    }
  }

  private static dev.millrace.api.KafkaSource<String> source(String name) {
    return Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest();
  }

  private static KafkaKeyedSink<String, String> sink(String name) {
    return Kafka.sink(name + "-out").partitions(1).key(Serdes.string()).value(Serdes.string());
  }

  private record Named(String name, BiConsumer<Topology, String> program)
      implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      program.accept(topology, name);
    }
  }

  private JobConfig config(String state) {
    return JobConfig.of(bootstrapServers())
        .withPlacement(PlacementConfig.defaults().withWorkers(1))
        .withState(StateConfig.in(directory.resolve(state)))
        .withChange(new ChangeConfig(ChangeConfig.AUTO));
  }

  private void run(
      StreamApplication application, String state, List<String> expected, String... visits) {
    try (Job job = Millrace.start(application, config(state))) {
      SharedTopics.write(application.name() + "-in", visits);
      assertNull(job.failure(), () -> String.valueOf(job.failure()));
      assertEquals(
          expected,
          SharedTopics.read(application.name() + "-out", expected.size()).stream()
              .map(record -> record.key() + " " + record.value())
              .toList());
      assertNull(job.failure());
    }
  }

  @Test
  void recordsEvolveInPlaceAndWhatCannotBeReadIsRefused() throws Exception {
    String name = uniqueName("evolving");
    SharedTopics.create(name + "-in", 1);
    List<String> expected = new ArrayList<>(List.of("a n=1", "b n=1", "a n=2"));
    run(new Named(name, First::describe), "state", expected, "a", "b", "a");
    expected.addAll(List.of("a visits=3 home", "b visits=2 home"));
    run(new Named(name, Second::describe), "state", expected, "a", "b");
    // From the changelog, where both formats lie.
    expected.addAll(List.of("c visits=1 home", "b visits=3 home", "a visits=4 home"));
    run(new Named(name, Second::describe), "elsewhere", expected, "c", "b", "a");
    try (Job job = Millrace.start(new Named(name, Narrower::describe), config("elsewhere"))) {
      assertTrue(job.await(Duration.ofSeconds(20)), "It was accepted, and runs.");
      JobFailure failure = job.failure();
      assertNotNull(failure);
      assertEquals(ExitCode.USAGE, failure.exitCode(), failure.message());
      assertTrue(
          failure
              .message()
              .contains(
                  "component visits of NarrowerProfile was written as long and is read as int"),
          failure.message());
    }
  }
}
