package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.Job;
import dev.millrace.LocalLog;
import dev.millrace.LocalTopic;
import dev.millrace.Millrace;
import dev.millrace.api.serde.Serdes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the guide to jobs without Kafka shows.
class WithoutKafkaGuideTest {
  @TempDir private Path directory;

  static Map<String, Long> count(String... lines) throws InterruptedException {
    try (LocalLog log = new LocalLog()) {
      log.createTopic("lines", 4);
      LocalTopic<String, String> in = log.topic("lines", Serdes.string(), Serdes.string());
      for (String line : lines) {
        in.send(null, line);
      }
      try (Job job = Millrace.local(new BoundedWordCount(), log)) {
        job.await();
        if (job.failure() != null) {
          throw new IllegalStateException(job.failure().message());
        }
      }
      return log.topic("word-counts", Serdes.string(), Serdes.longs()).latest();
    }
  }

  @Test
  void wordsOfATopicAreCounted() throws InterruptedException {
    assertEquals(
        Map.of("the", 3L, "mill", 1L, "and", 1L, "race", 2L),
        count("the mill and the race", "the race"));
  }

  @Test
  void wordsOfFilesAreCounted() throws IOException, InterruptedException {
    Path in = Files.createDirectory(directory.resolve("in"));
    Path out = directory.resolve("out");
    Files.writeString(in.resolve("one.txt"), "the mill and the race\n");
    Files.writeString(in.resolve("two.txt"), "the race\n");
    try (Job job = Millrace.local(new CountFiles(in, out))) {
      assertTrue(job.await(Duration.ofMinutes(1)));
      assertNull(job.failure(), () -> String.valueOf(job.failure()));
    }
    List<String> lines = new ArrayList<>();
    try (var files = Files.list(out)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jsonl")).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    lines.sort(null);
    assertEquals(List.of("and 1", "mill 1", "race 1", "race 2", "the 1", "the 2", "the 3"), lines);
  }
}
