package dev.millrace.benchmarks.memory;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Machine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/// Counts at full speed over far more keys than fit into memory, and looks every second at what the
/// process has.
public final class MemoryBenchmark {
  /// How much of what it may have a process should take.
  private static final int USABLE_PERCENT = 90;

  private static final String TOPIC = "events";
  private static final int PARTITIONS = 4;
  private static final int EVENT_BYTES = 16;
  private static final long CHUNK = 200_000;
  private static final long MOST_AHEAD = 3_000_000;
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration SAMPLE = Duration.ofSeconds(1);
  private static final double MB = 1 << 20;

  private static final List<String> COLUMNS =
      List.of(
          "minute",
          "records a second",
          "resident MB",
          "most resident MB",
          "heap MB",
          "blocks MB",
          "objects MB",
          "not on disk MB",
          "fetched MB",
          "sockets MB",
          "JVM MB");

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final List<List<Object>> rows = new ArrayList<>();
  private long most;
  private long mostSampled;
  private volatile boolean ended;

  /// What is to be run.
  ///
  /// @param keys of 100 bytes of state each
  /// @param time how long records are written
  /// @param limitBytes what the process is told that it may have
  /// @param heapMb `-Xmx`
  public record Setup(long keys, Duration time, long limitBytes, int heapMb) {}

  public MemoryBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  /// Runs it.
  public Figure run() throws InterruptedException, TimeoutException, ExecutionException {
    try (Cluster cluster = new Cluster(directory, "log.retention.check.interval.ms=5000");
        Producing producing = new Producing(cluster.bootstrap())) {
      createTopic(cluster.bootstrap());
      Map<String, Object> facts = Machine.facts();
      try (Child job = start(cluster.bootstrap())) {
        facts.putAll(facts(job));
        Thread writing = Thread.ofPlatform().daemon().start(() -> write(producing, job));
        watch(job);
        ended = true;
        writing.join();
        facts.putAll(result(job));
      }
      return figure(facts);
    }
  }

  private void createTopic(String bootstrap) throws InterruptedException, ExecutionException {
    // What was read may go: half an hour's input would fill a small disk.
    Map<String, String> settings =
        Map.of("retention.bytes", "268435456", "segment.bytes", "67108864");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin
          .createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1).configs(settings)))
          .all()
          .get();
    }
  }

  private Child start(String bootstrap) {
    return Child.start(
        "measured",
        Child.Program.of(MeasuredContainer.class, "-Xmx" + setup.heapMb + "m"),
        List.of(
            "memory",
            TOPIC,
            bootstrap,
            directory.resolve("state").toString(),
            Long.toString(setup.limitBytes)),
        directory);
  }

  private Map<String, Object> facts(Child job) throws InterruptedException, TimeoutException {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("keys", setup.keys);
    facts.put("limit MB", setup.limitBytes >> 20);
    facts.put("heap MB", setup.heapMb);
    String budget = job.await("millrace_memory_budget_bytes", START);
    facts.put("budget MB", Long.parseLong(budget) >> 20);
    return facts;
  }

  /// Writes every key once, and from then on keys at random, never far ahead of the job.
  private void write(Producing producing, Child job) {
    LongUnaryOperator key = i -> i < setup.keys ? i : (i * 0x9E3779B97F4A7C15L >>> 1) % setup.keys;
    long written = 0;
    while (!ended) {
      if (written - number(job, "processed") > MOST_AHEAD) {
        pause(Duration.ofMillis(20));
        continue;
      }
      long from = written;
      producing.write(TOPIC, CHUNK, i -> key.applyAsLong(from + i), EVENT_BYTES, _ -> {});
      written += CHUNK;
    }
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch(Child job) throws InterruptedException {
    long start = System.nanoTime();
    long rowNanos = start;
    long rowProcessed = 0;
    long rowMost = 0;
    while (System.nanoTime() - start < setup.time.toNanos()) {
      Thread.sleep(SAMPLE.toMillis());
      job.requireAlive();
      Resident resident = Resident.of(job.pid());
      rowMost = Math.max(rowMost, resident.now());
      mostSampled = Math.max(mostSampled, resident.now());
      most = Math.max(most, resident.most());
      long now = System.nanoTime();
      long processed = number(job, "processed");
      progress.accept(
          "%d s of %d s: %,d records, %.0f MB, at most %.0f MB of %.0f MB"
              .formatted(
                  (now - start) / 1_000_000_000,
                  setup.time.toSeconds(),
                  processed,
                  resident.now() / MB,
                  most / MB,
                  setup.limitBytes / MB));
      if (now - rowNanos >= Duration.ofMinutes(1).toNanos()) {
        double seconds = (now - rowNanos) / 1e9;
        addRow(job, Math.round((processed - rowProcessed) / seconds), resident, rowMost);
        rowNanos = now;
        rowProcessed = processed;
        rowMost = 0;
      }
    }
  }

  private void addRow(Child job, long rate, Resident resident, long rowMost) {
    long heap = number(job, "heap");
    long blocks = used(job, "blocks");
    long direct = used(job, "network");
    rows.add(
        List.of(
            rows.size() + 1,
            rate,
            mb(resident.now()),
            mb(rowMost),
            mb(heap),
            mb(blocks),
            mb(used(job, "objects")),
            mb(used(job, "committing") + used(job, "committed")),
            mb(used(job, "fetched")),
            mb(direct),
            mb(resident.now() - heap - blocks - direct)));
  }

  private static long used(Child job, String share) {
    return number(job, "millrace_memory_bytes" + share);
  }

  private static long number(Child job, String what) {
    String told = job.told(what);
    return told.isEmpty() ? 0 : Long.parseLong(told);
  }

  private static long mb(long bytes) {
    return Math.round(bytes / MB);
  }

  private Map<String, Object> result(Child job) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("seconds", setup.time.toSeconds());
    facts.put("records", number(job, "processed"));
    facts.put("state on disk MB", mb(number(job, "millrace_state_disk_bytes")));
    for (String counter :
        List.of(
            "memory_flushes",
            "recovery_flushes",
            "interval_flushes",
            "live_state_commits",
            "outbox_waits",
            "interval_commits",
            "fetch_pauses")) {
      facts.put(counter.replace('_', ' '), number(job, "millrace_" + counter + "_total"));
    }
    facts.put("most resident MB", mb(most));
    facts.put("percent of limit", Math.round(100.0 * most / setup.limitBytes));
    return facts;
  }

  /// Whether the process had more than nine tenths of what it may have, at any time.
  public boolean exceeded() {
    return Math.max(most, mostSampled) > setup.limitBytes / 100 * USABLE_PERCENT;
  }

  private Figure figure(Map<String, Object> facts) {
    List<String> minutes = rows.stream().map(row -> row.getFirst().toString()).toList();
    double usable = setup.limitBytes / MB * USABLE_PERCENT / 100;
    List<Figure.Line> lines =
        Stream.concat(
                Stream.of(3, 4, 5, 6)
                    .map(column ->
                        new Figure.Line(
                            COLUMNS.get(column),
                            rows.stream()
                                .map(row -> ((Number) row.get(column)).doubleValue())
                                .toList())),
                Stream.of(
                    new Figure.Line(
                        USABLE_PERCENT + " % of limit", rows.stream().map(_ -> usable).toList())))
            .toList();
    return new Figure(
        "memory",
        "Memory of a process with %,d keys at full speed".formatted(setup.keys),
        facts,
        COLUMNS,
        rows,
        new Figure.Plot("minute", "MB", minutes, lines));
  }
}
