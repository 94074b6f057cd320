package dev.millrace.examples.crash;

import dev.millrace.kafka.embedded.EmbeddedKafkaMain;
import java.nio.file.Path;
import java.util.List;

/// A broker in a process of its own, which no crash of a job touches.
public final class BrokerProcess implements AutoCloseable {
  private static final String READY = "READY ";
  private static final String ANY_PORT = "0";

  private final Path directory;
  private final String bootstrap;
  private JavaProcess process;

  public BrokerProcess(Path directory) {
    this.directory = directory;
    process = process(directory, ANY_PORT);
    bootstrap = ready();
  }

  private static JavaProcess process(Path directory, String port) {
    return new JavaProcess(
        "320m",
        directory.resolve("broker.err"),
        EmbeddedKafkaMain.class,
        List.of(directory.resolve("broker").toString(), port, "--exit-with-parent"));
  }

  private String ready() {
    String line = process.firstLine();
    if (!line.startsWith(READY)) {
      throw new IllegalStateException("It printed " + line + ". " + process.errors());
    }
    return line.substring(READY.length());
  }

  public String bootstrap() {
    return bootstrap;
  }

  /// Ends it as `kill -9` does.
  void kill() {
    process.kill();
  }

  /// Starts it again where it was, with what it has; behind [#kill].
  void startAgain() {
    process = process(directory, bootstrap.substring(bootstrap.lastIndexOf(':') + 1));
    ready();
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}
