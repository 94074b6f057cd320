package dev.millrace.internal.state.rocksdb;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.NumberedIngests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A process that ingests one numbered run after another and says so on its standard output; and
/// the test's side of it.
final class IngestingProcess implements AutoCloseable {
  static final String TASK = "1-3";
  private static final int MOST_ENTRIES = 300;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final Process process;
  private final BufferedReader output;
  private long acknowledged;

  private IngestingProcess(Process process, long acknowledged) {
    this.process = process;
    this.acknowledged = acknowledged;
    output = process.inputReader(StandardCharsets.US_ASCII);
  }

  /// @param arguments directory, seed, and the number of the last run to ingest
  public static void main(String[] arguments) throws IOException, InterruptedException {
    NumberedIngests ingests = ingests(Long.parseLong(arguments[1]));
    long last = Long.parseLong(arguments[2]);
    try (Disks disks = new RocksDisks(Path.of(arguments[0]), RocksDiskConfig.defaults());
        Disk disk = disks.open(TASK)) {
      for (long next = NumberedIngests.number(disk) + 1; next <= last; next++) {
        ingestOnceThereIsSpace(ingests, disk, next);
        say(next);
      }
    }
  }

  private static void ingestOnceThereIsSpace(NumberedIngests ingests, Disk disk, long number)
      throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      try {
        ingests.ingest(disk, number);
        return;
      } catch (DiskException e) {
        if (e.kind() != DiskException.Kind.FULL || System.nanoTime() - start > PATIENCE_NANOS) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }

  static NumberedIngests ingests(long seed) {
    return new NumberedIngests(seed, MOST_ENTRIES);
  }

  /// @param before what to put before the command, such as a tracer
  /// @param options of the child's virtual machine
  /// @param acknowledged the number of the last run known to be there
  static IngestingProcess start(
      List<String> before,
      List<String> options,
      Path directory,
      long seed,
      long last,
      long acknowledged) {
    return start(
        IngestingProcess.class,
        before,
        options,
        List.of(directory.toString(), Long.toString(seed), Long.toString(last)),
        acknowledged);
  }

  /// Starts another program that says numbers.
  static IngestingProcess start(
      Class<?> main,
      List<String> before,
      List<String> options,
      List<String> arguments,
      long acknowledged) {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new IngestingProcess(process, acknowledged);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Waits until the process has acknowledged a run.
  ///
  /// @return false if the process has ended
  boolean awaitAcknowledgement() {
    try {
      String line = output.readLine();
      if (line == null) {
        return false;
      }
      acknowledged = Long.parseLong(line);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Kills the process with signal 9 and hears its last words, for which its output must stay open:
  /// not so with [Process#destroyForcibly].
  ///
  /// @return the number of the last run it acknowledged
  long kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    return awaitEnd();
  }

  /// Waits until the process dies by itself.
  ///
  /// @return the number of the last run it acknowledged
  long awaitEnd() throws InterruptedException {
    while (awaitAcknowledgement()) {}
    process.waitFor();
    return acknowledged;
  }

  int exitCode() {
    return process.exitValue();
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /// One system call a line, so that a kill cannot cut it.
  static void say(long number) throws IOException {
    OutputStream out = System.out;
    out.write((number + "\n").getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }
}
