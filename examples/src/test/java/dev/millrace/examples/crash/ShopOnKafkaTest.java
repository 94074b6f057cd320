package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.ExitCode;
import dev.millrace.examples.shop.Shop;
import dev.millrace.examples.shop.ShopCheck;
import dev.millrace.kafka.embedded.EmbeddedKafka;
import dev.millrace.kafka.embedded.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The shop in a process of its own on Kafka, killed once: every row is right.
class ShopOnKafkaTest {
  private static final int HALF = 800;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void aKillInTheMiddleChangesNothing() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory.resolve("broker")).start();
        ShopLoad load = new ShopLoad(kafka.bootstrapServers(), 1, Duration.ofSeconds(30))) {
      load.write(HALF);
      try (JavaProcess first = start(kafka, "first")) {
        Patience.await("A first commit, of " + first.pid(), PATIENCE, () -> load.processed() > 0);
        first.kill();
      }
      load.write(HALF);
      load.end();
      try (JavaProcess second = start(kafka, "second")) {
        load.awaitAll(second::isAlive);
        second.ask();
        assertEquals(ExitCode.DONE, second.await((int) PATIENCE.toSeconds()), second::errors);
      }
      ShopCheck.Result result = load.check();
      assertEquals(List.of(), result.differences(), result::toString);
    }
  }

  private JavaProcess start(EmbeddedKafka kafka, String name) {
    return new JavaProcess(
        "256m",
        directory.resolve(name + ".err"),
        Shop.class,
        List.of(
            "--bootstrap=" + kafka.bootstrapServers(),
            "--state.directory=" + directory.resolve("state"),
            "--errors.on-error=dead-letter",
            "--commit.interval=50ms"));
  }
}
