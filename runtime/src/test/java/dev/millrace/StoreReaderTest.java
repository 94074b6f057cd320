package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.job.QueryException;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reading a store of a running job, from several threads.
@Tag("thorough")
class StoreReaderTest {
  @TempDir Path directory;

  @Test
  void threadsReadWhatIsCommittedWhileTheJobRuns() throws InterruptedException {
    Numbers application = Numbers.unbounded(uniqueName("readers"));
    SharedTopics.create(application.in(), 1);
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(50)))
            .withState(StateConfig.in(directory).withFlushInterval(Duration.ofMillis(100)));
    try (Job job = Millrace.start(application, config)) {
      assertThrows(QueryException.class, () -> job.store("sums", Serdes.string(), Serdes.longs()));
      LaunchTest.await(job, JobState.RUNNING);
      StoreReader<String, Long> sums = job.store("sums", Serdes.string(), Serdes.longs());
      Queue<String> wrong = new ConcurrentLinkedQueue<>();
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(Thread.ofPlatform().start(() -> readUntil(sums, 500 * 501 / 2, wrong)));
      }
      for (int i = 1; i <= 500; i++) {
        SharedTopics.write(application.in(), Integer.toString(i));
      }
      for (Thread reader : readers) {
        reader.join();
      }
      assertEquals(List.of(), List.copyOf(wrong));
      QueryException refused =
          assertThrows(QueryException.class, () -> sums.range(0, null, null, 10));
      assertTrue(refused.getMessage().contains("withRanges"), refused.getMessage());
      assertTrue(job.stop(Duration.ofSeconds(30)));
      assertThrows(QueryException.class, () -> sums.get("sum"));
      assertThrows(QueryException.class, () -> job.store("sums", Serdes.string(), Serdes.longs()));
    }
  }

  /// Reads until the sum is there; it only grows, and is a sum of the first numbers.
  private static void readUntil(StoreReader<String, Long> sums, long last, Queue<String> wrong) {
    long before = 0;
    try {
      while (before < last) {
        Long sum = sums.within(Duration.ofSeconds(30)).get("sum");
        long found = sum == null ? 0 : sum;
        long count = Math.round((Math.sqrt(8.0 * found + 1) - 1) / 2);
        if (found < before || count * (count + 1) / 2 != found) {
          wrong.add(found + " after " + before);
          return;
        }
        before = found;
      }
    } catch (InterruptedException | QueryException e) {
      wrong.add(e.toString());
    }
  }
}
