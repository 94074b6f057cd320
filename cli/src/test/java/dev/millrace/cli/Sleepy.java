package dev.millrace.cli;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Keeps a worker busy for 20 ms with each record of `NAME-in`, and writes it to `NAME-out`. Its
/// name is the system property `sleepy.name`.
public final class Sleepy implements StreamApplication {
  static final String NAME = "sleepy.name";
  static final int MILLIS = 20;

  @Override
  public String name() {
    return System.getProperty(NAME, "sleepy");
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source(name() + "-in").value(Serdes.string()).startAtEarliest())
        .filter(Sleepy::sleep)
        .to(Kafka.sink(name() + "-out").partitions(1).value(Serdes.string()));
  }

  private static boolean sleep(String value) {
    try {
      Thread.sleep(MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !value.isEmpty();
  }
}
