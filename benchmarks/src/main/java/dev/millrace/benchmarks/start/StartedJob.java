package dev.millrace.benchmarks.start;

import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.process.Parent;
import java.util.Arrays;

/// A process as a user has it: a `main` that runs a small application, here one that counts by key.
/// It tells its parent when it reached `main`, and when it saw its first record.
final class StartedJob implements StreamApplication {
  private static volatile boolean told;

  private final String name;

  private StartedJob(String name) {
    this.name = name;
  }

  /// @param args name of the application, then what its run is told
  public static void main(String[] args) {
    Parent.tell("main", System.currentTimeMillis());
    Parent.endWithIt();
    Millrace.run(new StartedJob(args[0]), Arrays.stream(args).skip(1).toArray(String[]::new));
  }

  static String input(String application) {
    return application + "-in";
  }

  static String output(String application) {
    return application + "-out";
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(
            Kafka.source(input(name))
                .key(Serdes.kafkaLong())
                .value(Serdes.bytes())
                .startAtEarliest())
        .peek(_ -> tell())
        .groupByKey()
        .count("counts")
        .toStream()
        .to(Kafka.sink(output(name)).key(Serdes.kafkaLong()).value(Serdes.kafkaLong()));
  }

  private static void tell() {
    if (!told) {
      told = true;
      Parent.tell("first", System.currentTimeMillis());
    }
  }
}
