package dev.millrace.examples.crash;

import dev.millrace.kafka.embedded.EmbeddedKafkaMain;
import java.nio.file.Path;
import java.util.List;

/// A broker in a process of its own, which no crash of a job touches.
public final class BrokerProcess implements AutoCloseable {
  private static final String READY = "READY ";

  private final JavaProcess process;
  private final String bootstrap;

  public BrokerProcess(Path directory) {
    process =
        new JavaProcess(
            "320m",
            directory.resolve("broker.err"),
            EmbeddedKafkaMain.class,
            List.of(directory.resolve("broker").toString(), "0", "--exit-with-parent"));
    String line = process.firstLine();
    if (!line.startsWith(READY)) {
      throw new IllegalStateException("It printed " + line + ". " + process.errors());
    }
    bootstrap = line.substring(READY.length());
  }

  public String bootstrap() {
    return bootstrap;
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}
