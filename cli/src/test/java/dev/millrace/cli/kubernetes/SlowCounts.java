package dev.millrace.cli.kubernetes;

import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Counts records by key, a hundred in a second and no more with each worker.
public final class SlowCounts implements StreamApplication {
  static final String INPUT = "slow-in";
  static final String OUTPUT = "slow-out";

  private static final int PAUSE_MILLIS = 10;

  @Override
  public String name() {
    return "slow";
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(
            Kafka.source(INPUT).key(Serdes.kafkaLong()).value(Serdes.kafkaLong()).startAtEarliest())
        .peek(_ -> pause())
        .groupByKey()
        .aggregate("counts", () -> 0L, (count, _) -> count + 1)
        .as(Serdes.kafkaLong())
        .toStream()
        .to(Kafka.sink(OUTPUT).key(Serdes.kafkaLong()).value(Serdes.kafkaLong()));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) {
    Millrace.run(new SlowCounts(), args);
  }
}
