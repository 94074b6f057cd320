package dev.millrace.benchmarks.recovery;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Producing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// The padded counts in processes of their own, with a state of some size, ready to be killed.
final class Lab implements AutoCloseable {
  private static final String APPLICATION = "padded-counts";

  private static final Duration LONG = Duration.ofMinutes(20);

  private static final Duration CALM = Duration.ofMinutes(2);

  /// Of all processors, what sixteen containers and Kafka need for little, and their compilers do
  /// not.
  private static final double CALM_SHARE = 0.65;

  /// What a record of the input carries besides its key.
  private static final int EVENT_BYTES = 16;

  private static final long MEMORY_BYTES = 640L << 20;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final Cluster cluster;
  private final Producing producing;
  private final ChangelogBytes changelog;
  private final List<Child> processes = new ArrayList<>();

  /// What is to be run.
  ///
  /// @param records of the input
  /// @param keys of these records, each as often as the others
  /// @param partitions of the input; one task each
  /// @param workers of each container
  /// @param processes how many containers each process has
  record Setup(long records, long keys, int partitions, int workers, List<Integer> processes) {
    int containers() {
      return processes.stream().mapToInt(each -> each).sum();
    }
  }

  /// How a process came back.
  ///
  /// @param totalMillis from the kill to the first record of each of its containers
  /// @param jvmMillis of that, until `main`
  /// @param restoreMillis of that, for the replay of changelogs
  /// @param replayedBytes of keys and values that the engine read from its changelog
  /// @param unflushedBytes of those that the changelog has beyond the positions of the disks, read
  ///   by a plain consumer
  /// @param predictedMillis what it said of that before it was killed, without its JVM and clients
  record Recovery(
      long totalMillis,
      long jvmMillis,
      long restoreMillis,
      long restoredRecords,
      long predictedMillis,
      long replayedBytes,
      long unflushedBytes) {}

  Lab(Setup setup, Path directory, Consumer<String> progress)
      throws InterruptedException, TimeoutException {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
    cluster = new Cluster(directory);
    producing = new Producing(cluster.bootstrap());
    changelog = new ChangelogBytes(cluster.bootstrap(), APPLICATION + "-changelog");
  }

  /// Starts the processes, writes the input and waits until it is counted.
  void fill() throws InterruptedException, TimeoutException, ExecutionException {
    Producing.createTopic(cluster.bootstrap(), "events", setup.partitions);
    for (int i = 0; i < setup.processes.size(); i++) {
      processes.add(start(i));
      // The first creates it. A container that is late in doing so may look for it too soon.
      Producing.awaitTopic(cluster.bootstrap(), APPLICATION + "-changelog");
    }
    producing.write(
        "events",
        setup.records,
        i -> i % setup.keys,
        EVENT_BYTES,
        sent -> progress.accept("Writing: %,d of %,d records".formatted(sent, setup.records)));
    awaitCounted(setup.records);
    // The first call takes longer than the others, which are part of what is measured.
    changelog.ends(setup.partitions);
  }

  private Child start(int process) {
    return Child.start(
        "containers-" + process,
        Program.of(Containers.class, "-Xmx1g", "-XX:+UseSerialGC"),
        List.of(
            APPLICATION,
            "events",
            cluster.bootstrap(),
            state(process).toString(),
            Integer.toString(setup.processes.get(process)),
            Integer.toString(setup.workers),
            Long.toString(MEMORY_BYTES / setup.containers())),
        directory);
  }

  private Path state(int process) {
    return directory.resolve("state-" + process);
  }

  private void awaitCounted(long records) throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + LONG.toNanos();
    while (System.nanoTime() < end) {
      long counted = 0;
      for (Child process : processes) {
        process.requireAlive();
        counted += number(process.told("processed"));
      }
      if (counted >= records) {
        return;
      }
      progress.accept("Counting: %,d of %,d records".formatted(counted, records));
      Thread.sleep(200);
    }
    throw new TimeoutException("The input was not counted within " + LONG);
  }

  private static long number(String text) {
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  /// Lets records come in all the time from now on.
  void trickle(int perSecond) {
    producing.trickle("events", setup.keys, perSecond, EVENT_BYTES);
  }

  /// Waits until Kafka and the jobs do nothing but what they must for the records that come in.
  void settle() throws InterruptedException {
    cluster.awaitCalm(CALM, CALM_SHARE * Runtime.getRuntime().availableProcessors(), processes);
  }

  /// Kills a process, starts it again and waits for its first records.
  ///
  /// @param losesState whether its local state is gone
  Recovery kill(int process, boolean losesState)
      throws InterruptedException, TimeoutException, IOException {
    Child old = processes.get(process);
    long predicted = number(old.told("predicted"));
    old.kill();
    long killed = System.currentTimeMillis();
    Map<Integer, Long> ends = changelog.ends(setup.partitions);
    if (losesState) {
      Directories.delete(state(process));
      killed = System.currentTimeMillis();
    }
    Child fresh = start(process);
    processes.set(process, fresh);
    long first = Long.parseLong(fresh.await("first", LONG));
    // Told before it.
    String flushed = fresh.told("flushed");
    return new Recovery(
        first - killed,
        Long.parseLong(fresh.told("main")) - fresh.startedMillis(),
        number(fresh.told("restore")),
        number(fresh.told("restored")),
        predicted,
        number(fresh.told("replayed")),
        losesState ? -1 : unflushed(flushed, ends));
  }

  /// What lies between the positions of the disks and the ends that the changelog had at the kill.
  private long unflushed(String flushed, Map<Integer, Long> ends) {
    long bytes = 0;
    for (String each : flushed.split(",")) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        int task = Integer.parseInt(each.substring(each.indexOf('-') + 1, equals));
        long from = Long.parseLong(each.substring(equals + 1));
        bytes += changelog.between(task, from, ends.getOrDefault(task, from));
      }
    }
    return bytes;
  }

  @Override
  public void close() {
    producing.close();
    changelog.close();
    processes.forEach(Child::close);
    cluster.close();
  }
}
