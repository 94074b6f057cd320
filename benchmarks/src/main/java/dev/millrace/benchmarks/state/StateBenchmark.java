package dev.millrace.benchmarks.state;

import dev.millrace.benchmarks.commit.Comparison;
import dev.millrace.benchmarks.commit.Comparison.Run;
import dev.millrace.benchmarks.commit.Variant;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What state on disk costs: where the cache holds it, beside state in memory; and where it has ten
/// times the size of the cache, beside a get and a put of RocksDB for each record, which has no
/// changelog, so that Millrace is measured without and with one.
public final class StateBenchmark {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration CALM = Duration.ofMinutes(2);

  /// What a key and its state take in the cache is more; this is what the figure asks of bytes.
  private static final int STATE_BYTES = 100;

  private static final int TIMES_THE_CACHE = 10;
  private static final int EVENT_BYTES = 16;

  /// A step that has no factor in common with the number of keys visits all in no order.
  private static final long STEP = 0x9E3779B97F4A7C15L >>> 1;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;

  /// What is measured.
  ///
  /// @param cachedKeys of the state that the cache holds
  /// @param largeKeys of the state that it does not hold
  /// @param records of the first, and of the second once it has its size
  /// @param rounds of the first; into so many parts the second is cut
  public record Setup(long cachedKeys, long largeKeys, long records, int rounds) {}

  /// @param directory for all that is written; not emptied
  public StateBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run()
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    List<List<Object>> rows = new ArrayList<>();
    Sample disk;
    Sample memory;
    Sample millrace;
    Sample plain;
    try (Cluster cluster = new Cluster(directory)) {
      Map<Variant, List<Run>> runs =
          new Comparison(
                  new Comparison.Setup(
                      List.of(Variant.IN_MEMORY, Variant.ON_DISK),
                      setup.cachedKeys,
                      setup.records,
                      setup.rounds,
                      true),
                  directory,
                  progress)
              .measure(cluster);
      List<Run> onDisk = Objects.requireNonNull(runs.get(Variant.ON_DISK));
      List<Run> inMemory = Objects.requireNonNull(runs.get(Variant.IN_MEMORY));
      disk = Sample.of(onDisk, Run::perSecond);
      memory = Sample.of(inMemory, Run::perSecond);
      rows.add(row(setup.cachedKeys, "in memory", memory, null));
      rows.add(
          row(
              setup.cachedKeys,
              "on disk, in the cache",
              disk,
              Sample.ofPairs(
                  onDisk, inMemory, (one, other) -> one.perSecond() / other.perSecond())));
      write(cluster);
      List<Double> byHand = large(cluster, PlainRocksDb.class, "rocksdb", false);
      List<Double> ours = large(cluster, MillraceState.class, "millrace", false);
      List<Double> logged = large(cluster, MillraceState.class, "millrace-logged", true);
      plain = new Sample(byHand);
      millrace = new Sample(ours);
      rows.add(row(setup.largeKeys, "RocksDB, a get and a put a record", plain, null));
      rows.add(
          row(
              setup.largeKeys,
              "on disk, ten times the cache",
              millrace,
              Sample.ofPairs(ours, byHand, (one, other) -> one / other)));
      rows.add(
          row(
              setup.largeKeys,
              "the same with its changelog",
              new Sample(logged),
              Sample.ofPairs(logged, byHand, (one, other) -> one / other)));
    }
    return figure(rows, List.of(memory, disk, plain, millrace));
  }

  private static List<Object> row(long keys, String state, Sample rates, @Nullable Sample ratio) {
    return List.of(
        keys,
        state,
        Math.round(rates.median()),
        ratio == null ? "" : "%.2f".formatted(ratio.median()),
        ratio == null ? "" : "%.2f to %.2f".formatted(ratio.least(), ratio.most()));
  }

  /// Each key once, in order; then keys in no order.
  private void write(Cluster cluster) throws InterruptedException, ExecutionException {
    long all = setup.largeKeys + setup.records;
    Producing.createTopic(cluster.bootstrap(), "large", Comparison.PARTITIONS);
    try (Producing producing = new Producing(cluster.bootstrap())) {
      producing.write(
          "large",
          all,
          i -> i < setup.largeKeys ? i : (i * STEP >>> 1) % setup.largeKeys,
          EVENT_BYTES,
          sent -> progress.accept("Writing: %,d of %,d records".formatted(sent, all)));
    }
  }

  private List<Double> large(Cluster cluster, Class<?> main, String name, boolean changelog)
      throws InterruptedException, TimeoutException, IOException {
    cluster.awaitCalm(CALM);
    List<Double> rates = new ArrayList<>();
    Path state = directory.resolve("state-" + name);
    try (Child child =
        Child.start(
            name,
            Program.of(main, "-Xmx1g", "-XX:+UseSerialGC"),
            List.of(
                cluster.bootstrap(),
                "large",
                state.toString(),
                Long.toString(setup.largeKeys * STATE_BYTES / TIMES_THE_CACHE),
                Long.toString(setup.largeKeys),
                Long.toString(setup.records),
                Integer.toString(setup.rounds),
                Boolean.toString(changelog)),
            directory)) {
      for (int i = 0; i < setup.rounds; i++) {
        progress.accept("%s: part %d of %d".formatted(name, i + 1, setup.rounds));
        rates.add(Double.parseDouble(child.await("segment-" + i, LONG)));
      }
    }
    Directories.delete(state);
    return rates;
  }

  private Figure figure(List<List<Object>> rows, List<Sample> rates) {
    Map<String, Object> facts = Machine.facts();
    facts.put("rounds", setup.rounds);
    facts.put("records", setup.records);
    facts.put("bytes a key", STATE_BYTES);
    facts.put("tasks", Comparison.PARTITIONS);
    facts.put("cache of the large state, bytes", setup.largeKeys * STATE_BYTES / TIMES_THE_CACHE);
    return new Figure(
        "state",
        "State on disk compared with memory and with RocksDB by hand",
        facts,
        List.of("keys", "state", "records/s", "ratio", "spread"),
        rows,
        new Plot(
            "state",
            "million records a second",
            List.of("memory", "cache", "RocksDB", "ten times"),
            List.of(new Line("rate", rates.stream().map(each -> each.median() / 1e6).toList()))));
  }
}
