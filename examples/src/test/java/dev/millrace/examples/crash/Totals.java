package dev.millrace.examples.crash;

import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Keeps a total for each of many keys, which tells the order and number of the values that went
/// into it, and emits every one of its values.
public final class Totals implements StreamApplication {
  static final String IN = "values";
  static final String OUT = "totals";
  static final String AT_WORK = "at work";

  private static volatile boolean atWork;

  /// Runs it as a user would.
  public static void main(String[] args) {
    Millrace.run(new Totals(), args);
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.source(IN).key(Serdes.kafkaLong()).value(Serdes.kafkaLong()).startAtEarliest())
        .filter(value -> tell())
        .groupByKey()
        .reduce("total", Totals::next)
        .toStream()
        .to(Kafka.sink(OUT).key(Serdes.kafkaLong()).value(Serdes.kafkaLong()));
  }

  /// The total with one more value.
  static long next(long total, long value) {
    return 31 * total + value;
  }

  private static boolean tell() {
    if (!atWork) {
      atWork = true;
      System.out.println(AT_WORK);
      System.out.flush();
    }
    return true;
  }
}
