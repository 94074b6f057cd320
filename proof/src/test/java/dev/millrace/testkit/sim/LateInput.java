package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Records of five keys of which some come late, for jobs that read `in` and write `out` and
/// `late`.
///
/// @param stepMillis event time goes on by less than that from one record to the next
/// @param lateOneIn one of so many records comes late
/// @param lateMillis by less than that
record LateInput(int stepMillis, int lateOneIn, int lateMillis) {
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 250;

  /// Creates the topics and writes the records.
  ///
  /// @return the values in their order: the event time, a blank, and a name of its own
  List<String> write(Simulation simulation, long seed) {
    for (String topic : List.of("in", "out", "late")) {
      simulation.log().createTopic(topic, PARTITIONS);
    }
    List<String> values = new ArrayList<>();
    Seed random = new Seed(seed).fork("records");
    long now = 1_000_000;
    for (int i = 0; i < RECORDS; i++) {
      now += random.below(stepMillis);
      long time = now - (random.below(lateOneIn) == 0 ? random.below(lateMillis) : 0);
      String value = time + " r" + i;
      values.add(value);
      byte[] key = ("k" + random.below(5)).getBytes(StandardCharsets.UTF_8);
      Split split = new Split("in", Partitioner.partition(Bytes.of(key), PARTITIONS));
      simulation.log().append(split, 0, key, value.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }
    return values;
  }
}
