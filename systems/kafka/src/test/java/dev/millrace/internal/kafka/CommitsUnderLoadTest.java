package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.client.ClientMemory;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What was reported to be committed is in the log, all of it. Writers with little memory commit a
/// little to many splits while other threads keep every processor busy: a producer that sends the
/// end of a transaction before its last batch does so about once in 20,000 such commits.
@Tag("thorough")
class CommitsUnderLoadTest {
  private static final Duration TIME =
      Duration.parse(System.getProperty("millrace.commits", "PT2M"));
  private static final int WRITERS = 3;
  private static final int BUSY = 5;
  private static final int TOPICS = 4;
  private static final int MOST_RECORDS = 12;

  private final long end = System.nanoTime() + TIME.toNanos();

  @Test
  void everyCommitIsWhole() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      IntStream.range(0, BUSY).forEach(_ -> threads.execute(this::keepBusy));
      List<Future<Integer>> writers = new ArrayList<>();
      for (int seed = 0; seed < WRITERS; seed++) {
        Random random = new Random(seed);
        writers.add(threads.submit(() -> write(random)));
      }
      int commits = 0;
      for (Future<Integer> each : writers) {
        commits += each.get();
      }
      System.out.println("commits under load: " + commits);
      assertTrue(commits > 0);
    } finally {
      threads.shutdownNow();
    }
  }

  private void keepBusy() {
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  /// @return how often it was committed
  private int write(Random random) throws Exception {
    String servers = SharedEmbeddedKafka.bootstrapServers();
    KafkaLogSettings settings =
        KafkaLogSettings.of(servers, "load").withMemory(new ClientMemory(0, 0));
    int commits = 0;
    try (LogBench bench = new LogBench(servers);
        KafkaLog log = KafkaLog.connect(settings);
        TransactionalWriter writer = log.writer(LogBench.uniqueName("load"), LogBench.TIMEOUT)) {
      List<Split> splits = new ArrayList<>();
      for (int topic = 0; topic < TOPICS; topic++) {
        splits.addAll(bench.splits(4, Map.of()));
      }
      splits.add(bench.split());
      Map<Split, Set<String>> committed = new HashMap<>();
      LogBench.eventually("the writer is open", writer::open);
      for (int number = 0; System.nanoTime() - end < 0; number++) {
        List<Split> sent = splits.stream().filter(_ -> random.nextInt(5) > 0).toList();
        String value = "commit " + number;
        for (Split split : sent) {
          String[] values = new String[1 + random.nextInt(MOST_RECORDS)];
          Arrays.fill(values, value);
          writer.send(split, bench.batch(values));
        }
        writer.commit();
        assertEquals(Outcome.COMMITTED, LogBench.outcome(writer), writer::failure);
        sent.forEach(
            split -> committed.computeIfAbsent(split, each -> new LinkedHashSet<>()).add(value));
        commits++;
        if (random.nextInt(4) == 0) {
          Thread.sleep(random.nextInt(60));
        }
      }
      for (Split split : splits) {
        assertEquals(
            committed.getOrDefault(split, Set.of()),
            new LinkedHashSet<>(bench.values(split)),
            split::toString);
      }
    }
    return commits;
  }
}
