package dev.millrace.benchmarks.beam.python;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.kafka.embedded.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Has one program in Python count the words of a text on job servers, each in a process of its
/// own, one after the other; compares the counts with those of whoever made the text, and measures
/// time and processor time.
public final class PythonBenchmark {
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final double NANOS = 1e9;
  private static final int WORDS_OF_A_LINE = 10;

  private final PythonSetup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final Consumer<String> measured;
  private final List<PythonRow> rows = new ArrayList<>();

  /// @param directory for all that is written; not emptied
  /// @param measured gets what each server came to, as soon as it has
  public PythonBenchmark(
      PythonSetup setup, Path directory, Consumer<String> progress, Consumer<String> measured) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
    this.measured = measured;
  }

  public Figure run() throws IOException, InterruptedException, TimeoutException {
    // Before anything takes time: what is missing is said at once.
    setup.servers().forEach(server -> server.program(setup.home(), setup.heapMb()));
    Text text = Text.write(directory.resolve("text"), setup.words());
    Text line = Text.write(directory.resolve("line"), WORDS_OF_A_LINE);
    for (JobServer server : setup.servers()) {
      progress.accept("The Python SDK for " + server.id());
      Path python = PythonSdk.python(server.sdk());
      progress.accept("Words on " + server.id());
      PythonRow row = row(server, python, text, line);
      measured.accept(row.text());
      rows.add(row);
    }
    return PythonReport.figure(setup, rows);
  }

  private PythonRow row(JobServer server, Path python, Text text, Text line)
      throws IOException, InterruptedException {
    int port = FreePorts.next();
    try (Child child =
        Child.start(
            server.id(),
            server.program(setup.home(), setup.heapMb()),
            server.arguments(port),
            directory)) {
      awaitListening(child, port);
      List<PythonRow.Run> runs = count(server, child, port, python, text);
      List<Double> programs = new ArrayList<>();
      for (int i = 0; i < setup.runs(); i++) {
        programs.add(program(server.id() + "-line-" + i, port, python, line));
      }
      return new PythonRow(server, programs, runs, null);
    } catch (IllegalStateException | TimeoutException e) {
      return PythonRow.failed(server, String.valueOf(e.getMessage()));
    }
  }

  private static void awaitListening(Child server, int port)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + START.toNanos();
    while (System.nanoTime() < end) {
      server.requireAlive();
      try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException _) {
        Thread.sleep(50); // not yet
      }
    }
    throw new TimeoutException("Nobody listens on port %d after %s.".formatted(port, START));
  }

  /// Counts the whole text, as often as wanted.
  private List<PythonRow.Run> count(JobServer server, Child child, int port, Path python, Text text)
      throws IOException, InterruptedException, TimeoutException {
    String name = server.id() + "-words";
    int all = setup.warm() + setup.runs();
    List<PythonRow.Run> runs = new ArrayList<>();
    try (Child program = start(name, port, python, text, all)) {
      long cpu = child.cpu().toNanos();
      for (int i = 0; i < all; i++) {
        String[] told = program.await("run-" + i, PATIENCE).split(" ", -1);
        long now = child.cpu().toNanos();
        if (i >= setup.warm()) {
          runs.add(
              PythonRow.Run.of(
                  Double.parseDouble(told[0]),
                  (now - cpu) / NANOS,
                  Double.parseDouble(told[1]),
                  setup.words()));
        }
        cpu = now;
        requireCounted(text, name, i);
      }
    }
    return runs;
  }

  /// Runs a whole program that counts once.
  ///
  /// @return the seconds that it took, with its start
  private double program(String name, int port, Path python, Text line)
      throws IOException, InterruptedException, TimeoutException {
    long start = System.nanoTime();
    try (Child program = start(name, port, python, line, 1)) {
      program.awaitEnd(PATIENCE);
    }
    double seconds = (System.nanoTime() - start) / NANOS;
    requireCounted(line, name, 0);
    return seconds;
  }

  private Child start(String name, int port, Path python, Text text, int runs) {
    List<String> command =
        new ArrayList<>(
            List.of(
                python.toString(),
                setup.home().resolve("benchmarks/beam/src/main/python/wordcount.py").toString(),
                "--text=" + text.file(),
                "--counts=" + directory.resolve(name),
                "--runs=" + runs));
    command.addAll(JobServer.options(port));
    return Child.start(name, command, directory);
  }

  private void requireCounted(Text text, String name, int run) throws IOException {
    Path counts = directory.resolve(name + "-" + run);
    if (!text.isCountedBy(counts)) {
      throw new IllegalStateException("The counts in %s are wrong.".formatted(counts));
    }
  }

  /// What failed, in words; empty if all went well.
  public List<String> failures() {
    return rows.stream().filter(row -> !row.isMeasured()).map(PythonRow::text).toList();
  }
}
