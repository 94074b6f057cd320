package dev.millrace.benchmarks.nexmark;

import dev.millrace.benchmarks.nexmark.NexmarkRow.Run;
import dev.millrace.benchmarks.nexmark.NexmarkSetup.From;
import dev.millrace.benchmarks.nexmark.NexmarkTrial.Asked;
import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.benchmarks.nexmark.model.Tally;
import dev.millrace.benchmarks.nexmark.oracle.Oracles;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.report.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;

/// Has engines answer the queries of Nexmark, one process after the other; checks each answer; and
/// measures rates and processor time.
public final class NexmarkBenchmark {
  static final int SPLITS = 4;
  static final int THREADS = 2;

  /// Of the events, before the measurement begins.
  private static final double WARM_SHARE = 0.2;

  private static final String INPUT = "nexmark-events";

  private final NexmarkSetup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final Consumer<String> measured;
  private final List<NexmarkRow> rows = new ArrayList<>();

  /// @param directory for all that is written; not emptied
  /// @param measured gets what each query came to, as soon as it has
  public NexmarkBenchmark(
      NexmarkSetup setup, Path directory, Consumer<String> progress, Consumer<String> measured) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
    this.measured = measured;
  }

  /// How many of the events come before the measurement.
  static long warm(long events) {
    return (long) (events * WARM_SHARE);
  }

  public Figure run()
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    // Before anything takes time: what is missing is said at once.
    setup.engines().forEach(engine -> engine.program(setup.home(), setup.heapMb()));
    try (Cluster cluster = new Cluster(directory)) {
      NexmarkTrial trial = new NexmarkTrial(setup, cluster, directory, progress);
      Map<Settings, String> inputs = new HashMap<>();
      for (String query : setup.queries()) {
        Settings events = setup.events(query);
        String input = inputs.get(events);
        if (input == null) {
          input = setup.from() == From.KAFKA ? write(cluster, events) : "";
          inputs.put(events, input);
        }
        progress.accept(query + ": computing the expected result");
        Tally expected = Oracles.tally(query, new Generator(events));
        List<NexmarkRow> ofQuery = rows(trial, new Asked(query, events, input, expected));
        ofQuery.forEach(row -> measured.accept(row.text()));
        rows.addAll(ofQuery);
      }
    }
    return NexmarkReport.figure(setup, rows);
  }

  /// Writes events to a topic of their own, whose name it returns.
  private String write(Cluster cluster, Settings events)
      throws InterruptedException, TimeoutException, ExecutionException {
    String topic = INPUT + "-" + events.events();
    EventTopic.write(
        cluster.bootstrap(),
        topic,
        SPLITS,
        new Generator(events),
        written -> progress.accept("Writing: %,d events".formatted(written)));
    return topic;
  }

  /// The rows that should be there and are not, in words; empty if all went well.
  public List<String> failures() {
    return rows.stream()
        .filter(NexmarkRow::failed)
        .map(row -> row.name() + ": " + row.why())
        .toList();
  }

  /// Runs each engine, and again, so that what drifts hits all alike. One that has failed is not
  /// run again.
  private List<NexmarkRow> rows(NexmarkTrial trial, Asked asked)
      throws InterruptedException, ExecutionException, IOException {
    String query = asked.query();
    Map<NexmarkEngine, List<Run>> runs = new EnumMap<>(NexmarkEngine.class);
    Map<NexmarkEngine, String> failed = new EnumMap<>(NexmarkEngine.class);
    for (int run = 1; run <= setup.runs(); run++) {
      for (NexmarkEngine engine : setup.engines()) {
        if (engine.cannot(query).isEmpty() && !failed.containsKey(engine)) {
          String what = "%s, %s, run %d of %d".formatted(engine.id(), query, run, setup.runs());
          try {
            runs.computeIfAbsent(engine, _ -> new ArrayList<>())
                .add(trial.run(engine, asked, what));
          } catch (IllegalStateException | KafkaException | TimeoutException e) {
            failed.put(engine, String.valueOf(e.getMessage()));
          }
        }
      }
    }
    return setup.engines().stream()
        .map(engine -> row(engine, query, runs.getOrDefault(engine, List.of()), failed))
        .toList();
  }

  private static NexmarkRow row(
      NexmarkEngine engine, String query, List<Run> runs, Map<NexmarkEngine, String> failed) {
    Optional<String> cannot = engine.cannot(query);
    if (cannot.isPresent()) {
      return NexmarkRow.cannot(engine, query, cannot.get());
    }
    String why = failed.get(engine);
    return why == null ? NexmarkRow.of(engine, query, runs) : NexmarkRow.failed(engine, query, why);
  }
}
