package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.kafka.LyingBrokers;
import dev.millrace.internal.kafka.ModelCluster;
import dev.millrace.internal.kafka.ModelPartition;
import dev.millrace.internal.kafka.write.Transaction;
import dev.millrace.internal.kafka.write.WriterWork;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

/// A log that loses its end, as in an unclean election, and is written again: whoever has read what
/// was lost is told so, and never reads on as if the new records followed upon it.
class LostEndTest {
  private static final int RUNS = 300;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MOST_POLLS = 2_000;

  private int told;
  private int wentOn;

  @Test
  void whoHasReadWhatWasLostIsTold() {
    for (long seed = 1; seed <= RUNS; seed++) {
      new Run(seed).run();
    }
    assertTrue(told > RUNS / 5, told + " were told");
    assertTrue(wentOn > RUNS / 10, wentOn + " went on");
  }

  private final class Run {
    private final long seed;
    private final Random random;
    private final ModelCluster cluster = new ModelCluster();
    private final LyingBrokers brokers;
    private final ModelPartition partition = cluster.partition(0);
    private final SplitPosition split = ModelClients.splits().getFirst();
    private final List<String> read = new ArrayList<>();
    private int written;

    Run(long seed) {
      this.seed = seed;
      random = new Random(seed);
      brokers = new LyingBrokers(cluster, seed);
      brokers.lies = 0;
    }

    void run() {
      write(2 + random.nextInt(6));
      try (DirectFetcher fetcher = ModelClients.fetcher(brokers)) {
        fetcher.assign(List.of(split));
        fetcher.seek(split);
        long until = random.nextLong(1, partition.end() + 1);
        read(fetcher, until);
        List<String> before = cluster.committed(0);
        partition.loseEnd(random.nextLong(1, partition.end() + 1));
        write(2 + random.nextInt(6));
        String said = readToTheEnd(fetcher);
        // What was under way when the end was lost may still arrive.
        if (said.isEmpty()) {
          wentOn++;
        } else {
          assertTrue(said.contains(split.partition.toString()), () -> "seed " + seed + ": " + said);
          assertTrue(isBeginning(read, before), () -> "seed " + seed + " read " + read);
          assertFalse(isBeginning(read, cluster.committed(0)), () -> "seed " + seed + " lost none");
          told++;
        }
      }
    }

    private static boolean isBeginning(List<String> read, List<String> log) {
      return read.size() <= log.size() && log.subList(0, read.size()).equals(read);
    }

    /// Some transactions; leaders change between them, and within.
    private void write(int transactions) {
      WriterWork producer = ModelClients.producer(brokers, cluster, PATIENCE, PATIENCE);
      producer.open();
      for (int i = 0; i < transactions; i++) {
        Transaction transaction = new Transaction(_ -> {});
        List<String> values = new ArrayList<>();
        for (int j = random.nextInt(5); j >= 0; j--) {
          values.add(Integer.toString(written++));
        }
        if (random.nextInt(3) == 0) {
          partition.move();
        }
        producer.send(transaction, ModelCluster.split(0), ModelClients.batch(values));
        producer.commit(transaction);
        assertEquals(Outcome.COMMITTED, transaction.outcome(), "seed " + seed);
      }
      producer.close();
    }

    private void read(DirectFetcher fetcher, long until) {
      for (int polls = 0; split.next() < until; polls++) {
        assertTrue(polls < MOST_POLLS, () -> "seed " + seed + " stands at " + split.next());
        poll(fetcher);
      }
    }

    /// What the reader is told instead of records; empty if it comes to the end of the log and has
    /// read all of it.
    private String readToTheEnd(DirectFetcher fetcher) {
      try {
        for (int polls = 0; polls < MOST_POLLS; polls++) {
          if (split.next() == partition.end() && read.equals(cluster.committed(0))) {
            return "";
          }
          poll(fetcher);
        }
        throw new AssertionError(
            "Seed %d: nobody is told at %d of %d; read %s of %s."
                .formatted(seed, split.next(), partition.end(), read, cluster.committed(0)));
      } catch (LogTruncationException e) {
        return e.partitions().toString();
      } catch (OffsetOutOfRangeException e) {
        return e.partitions().toString();
      } catch (KafkaException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }

    private void poll(DirectFetcher fetcher) {
      fetcher.poll(Duration.ofMillis(2));
      Bytes view = new Bytes();
      while (!split.ready.isEmpty()) {
        RecordBatch batch = split.ready.remove();
        for (int i = 0; i < batch.size(); i++) {
          read.add(batch.value(i, view).toUtf8());
        }
        batch.release();
      }
    }
  }
}
