package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.internal.kafka.LogBench;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EndCheckTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LogBench bench = new LogBench(SharedEmbeddedKafka.bootstrapServers());
  private final Admin admin =
      Admin.create(Map.of("bootstrap.servers", SharedEmbeddedKafka.bootstrapServers()));
  private final EndCheck check = new EndCheck(admin);
  private final Split name = bench.split();
  private final SplitPosition split = new SplitPosition(name, Position.of(0));

  @AfterEach
  void close() throws Exception {
    admin.close();
    bench.close();
  }

  private long end(long nowNanos) {
    return check.endOf(split, () -> List.of(split), nowNanos);
  }

  @Test
  void anEndThatIsNotKnownIsAskedFor() {
    bench.write(bench.openWriter(), name, "a", "b");
    bench.awaitDecided(name);
    assertEquals(-1, end(0));
    LogBench.await("an answer", () -> end(0) == 3);
  }

  @Test
  void anEndThatNobodyConfirmsIsNotKnownAfterAWhile() {
    split.stableEnd(7);
    split.heard(0);
    assertEquals(7, end(2 * SECOND));
    admin.close(); // from now on nobody answers
    assertEquals(7, end(9 * SECOND));
    assertEquals(-1, end(11 * SECOND));
    assertEquals(-1, end(100 * SECOND));
    split.heard(101 * SECOND); // records came
    assertEquals(7, end(102 * SECOND));
  }

  @Test
  void anAnswerIsAsOldAsItsQuestion() {
    bench.write(bench.openWriter(), name, "a", "b");
    bench.awaitDecided(name);
    assertEquals(-1, end(0));
    LogBench.await("an answer", () -> end(0) == 3);
    assertEquals(3, end(9 * SECOND)); // asks again
    assertEquals(-1, end(30 * SECOND - 1));
    LogBench.await("the next answer", () -> end(30 * SECOND) == 3);
  }
}
