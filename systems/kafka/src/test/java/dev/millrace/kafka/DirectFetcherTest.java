package dev.millrace.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What is asked of brokers, and when.
class DirectFetcherTest {
  private static final Duration BROKER_WAITS = Duration.ofSeconds(20);

  /// A worker's reader replays a changelog to its end, and then reads the inputs.
  @Test
  void whatIsAddedDoesNotWaitForWhatWasReadToItsEnd() throws Exception {
    try (LogBench bench =
        new LogBench(
            SharedEmbeddedKafka.bootstrapServers(),
            DataPlane.DIRECT,
            Map.of("fetch.max.wait.ms", Long.toString(BROKER_WAITS.toMillis())))) {
      List<Split> splits = bench.splits(2, Map.of());
      TransactionalWriter writer = bench.openWriter();
      for (Split split : splits) {
        bench.write(writer, split, "a", "b");
        bench.awaitDecided(split);
      }
      SplitReader reader = bench.reader();
      Split replayed = splits.getFirst();
      reader.add(replayed, Position.of(0));
      long end = bench.log.offsets(List.of(replayed)).get(replayed).stableEnd();
      for (long next = 0; next < end; ) {
        RecordBatch batch = LogBench.next(reader);
        next = batch.nextOffset();
        batch.release();
      }
      reader.remove(replayed);
      long start = System.nanoTime();
      reader.add(splits.getLast(), Position.of(0));
      RecordBatch batch = LogBench.next(reader);
      Duration waited = Duration.ofNanos(System.nanoTime() - start);
      assertEquals(splits.getLast(), batch.split());
      assertTrue(waited.compareTo(BROKER_WAITS.dividedBy(2)) < 0, waited::toString);
      batch.release();
    }
  }
}
