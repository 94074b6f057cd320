package dev.millrace.internal.yarn.cluster;

import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Counts events by key as a process in a container of YARN, and keeps a thousand bytes a key, so
/// that a state of some size is soon there. It writes a row for each numbered event.
///
///     YarnCounts <directory> [<setting>...]
public final class YarnCounts implements StreamApplication {
  static final String INPUT = "counts-in";
  static final String OUTPUT = "counts-out";

  /// What a key's state takes.
  static final int BYTES = 1_000;

  /// The number of events that only fill the state.
  static final long UNNUMBERED = -1;

  private static final int NUMBER_AT = Long.BYTES;

  @Override
  public String name() {
    return "counts-on-yarn";
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(
            Kafka.source(INPUT).key(Serdes.kafkaLong()).value(Serdes.kafkaLong()).startAtEarliest())
        .groupByKey()
        .aggregate("counts", () -> new byte[0], YarnCounts::plus)
        .as(Serdes.bytes())
        .toStream()
        .filter(count -> number(count) != UNNUMBERED)
        .mapValues(count -> Arrays.copyOf(count, NUMBER_AT + Long.BYTES))
        .to(Kafka.sink(OUTPUT).key(Serdes.kafkaLong()).value(Serdes.bytes()));
  }

  private static byte[] plus(byte[] count, long number) {
    byte[] next = count.length == 0 ? padding(number) : count.clone();
    ByteBuffer.wrap(next).putLong(0, count(next) + 1).putLong(NUMBER_AT, number);
    return next;
  }

  /// Bytes that no compression makes fewer.
  private static byte[] padding(long seed) {
    byte[] all = new byte[BYTES];
    new SplittableRandom(seed ^ System.nanoTime()).nextBytes(all);
    return ByteBuffer.wrap(all).putLong(0, 0).array();
  }

  static long count(byte[] row) {
    return ByteBuffer.wrap(row).getLong(0);
  }

  static long number(byte[] row) {
    return ByteBuffer.wrap(row).getLong(NUMBER_AT);
  }

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    ProcessFile.write(directory);
    String[] settings = Arrays.copyOfRange(args, 1, args.length + 1);
    settings[settings.length - 1] =
        "--state.directory=" + directory.resolve("state-" + System.getenv("NM_HOST"));
    Millrace.run(new YarnCounts(), settings);
  }
}
