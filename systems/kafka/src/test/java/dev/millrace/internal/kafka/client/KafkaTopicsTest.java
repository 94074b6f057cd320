package dev.millrace.internal.kafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.internal.kafka.LogBench;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.Log.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class KafkaTopicsTest {
  private static final int PROCESSES = 4;
  private static final int TOPICS = 10;

  /// Containers that start together create the same topics.
  @Test
  void aTopicThatAnotherIsJustCreatingIsThereOnceItWasCreated() throws Exception {
    List<LogBench> benches = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(PROCESSES)) {
      for (int i = 0; i < PROCESSES; i++) {
        benches.add(new LogBench(SharedEmbeddedKafka.bootstrapServers()));
      }
      for (int i = 0; i < TOPICS; i++) {
        String topic = LogBench.uniqueName("shared");
        List<Callable<Boolean>> creations = new ArrayList<>();
        for (LogBench bench : benches) {
          creations.add(() -> {
            bench.log.createTopic(new TopicSpec(topic, 4, -1, Map.of()));
            return bench.log.topics(List.of(topic)).containsKey(topic);
          });
        }
        int there = 0;
        for (Future<Boolean> creation : threads.invokeAll(creations)) {
          there += creation.get() ? 1 : 0;
        }
        assertEquals(PROCESSES, there, topic);
      }
    } finally {
      for (LogBench bench : benches) {
        bench.close();
      }
    }
  }
}
