package dev.millrace.benchmarks.commit;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Producing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Variants of a job beside each other: a topic is written, and each variant runs over it in one
/// warm process, forwards and backwards in turn.
public final class Comparison {
  /// Of the topic; one task each.
  public static final int PARTITIONS = 4;

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration CALM = Duration.ofMinutes(2);

  /// With a key of eight bytes, a record has a hundred.
  private static final int EVENT_BYTES = 92;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;

  /// What is compared.
  ///
  /// @param keys each as often as the others
  /// @param records that each job processes
  /// @param rounds of one run of each variant
  /// @param padded whether a key's state has 100 bytes, not 8
  public record Setup(List<Variant> variants, long keys, long records, int rounds, boolean padded) {
    public Setup {
      variants = List.copyOf(variants);
    }
  }

  /// What one run gave.
  public record Run(double perSecond, double cpuSecondsPerMillion) {}

  /// @param directory for all that is written; not emptied
  public Comparison(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  /// The runs of each variant; those with the same number belong to one round.
  public Map<Variant, List<Run>> measure(Cluster cluster)
      throws InterruptedException, TimeoutException, ExecutionException {
    String topic = "events-" + setup.keys;
    write(cluster, topic);
    cluster.awaitCalm(CALM);
    Map<Variant, List<Run>> runs = new EnumMap<>(Variant.class);
    progress.accept("%,d keys: warming up".formatted(setup.keys));
    try (Child child =
        Child.start(
            "jobs-" + setup.keys,
            Program.of(CommitRuns.class, "-Xmx1g", "-XX:+UseSerialGC"),
            Stream.concat(
                    Stream.of(
                        cluster.bootstrap(),
                        topic,
                        directory.resolve("state").toString(),
                        Long.toString(setup.records),
                        Integer.toString(setup.rounds),
                        Boolean.toString(setup.padded)),
                    setup.variants.stream().map(Variant::name))
                .toList(),
            directory)) {
      int all = setup.rounds * setup.variants.size();
      for (int i = 0; i < all; i++) {
        String[] told = child.await("run-" + i, LONG).split(" ");
        runs.computeIfAbsent(Variant.valueOf(told[0]), _ -> new ArrayList<>())
            .add(new Run(Double.parseDouble(told[1]), Double.parseDouble(told[2])));
        progress.accept("%,d keys: run %d of %d".formatted(setup.keys, i + 1, all));
      }
    }
    return runs;
  }

  private void write(Cluster cluster, String topic)
      throws InterruptedException, ExecutionException {
    Producing.createTopic(cluster.bootstrap(), topic, PARTITIONS);
    try (Producing producing = new Producing(cluster.bootstrap())) {
      producing.write(
          topic,
          setup.records,
          i -> i % setup.keys,
          EVENT_BYTES,
          sent -> progress.accept("Writing: %,d of %,d records".formatted(sent, setup.records)));
    }
  }
}
