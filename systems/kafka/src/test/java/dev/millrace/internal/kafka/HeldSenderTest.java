package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;

/// What is sent and committed while the producer's sending thread stands between its two looks is
/// in the log; see decision 11.
class HeldSenderTest {
  @Test
  void theLastBatchIsNotLeftOutOfACommit() throws Exception {
    String servers = SharedEmbeddedKafka.bootstrapServers();
    AtomicReference<HeldProducer> held = new AtomicReference<>();
    ClientFactory clients =
        new ClientFactory(KafkaLogSettings.of(servers, "held").withDataPlane(DataPlane.OFFICIAL)) {
          @Override
          public Producer<byte[], byte[]> transactional(String id, Duration timeout) {
            held.set(new HeldProducer(super.transactional(id, timeout)));
            return held.get().proxy();
          }
        };
    try (LogBench bench = new LogBench(servers);
        KafkaLog log = KafkaLog.connect(clients);
        TransactionalWriter writer = log.writer(LogBench.uniqueName("held"), LogBench.TIMEOUT)) {
      Split split = bench.split();
      LogBench.eventually("the writer is open", writer::open);
      writer.send(split, bench.batch("first"));
      LogBench.await("it is in the log", () -> end(bench, split) == 1);
      try (HeldProducer producer = held.get()) {
        producer.holdSender();
        bench.write(writer, split, "last");
      }
      assertEquals(List.of("first", "last"), bench.values(split));
    }
  }

  private static long end(LogBench bench, Split split) {
    return bench.log.offsets(List.of(split)).get(split).end();
  }
}
