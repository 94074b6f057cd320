package dev.millrace.testkit.job;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.InputRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// What the applications of [EachOperator] read, as texts.
///
/// @param late which record of each stream comes late; -1 for none
/// @param to which streams get more
/// @param at behind which of their records comes one more of the same key and time
/// @param more its value; null if it has none
record Feed(int late, Set<String> to, IntPredicate at, @Nullable String more) {
  static final int RECORDS = 14;
  private static final String[] KEYS = {"k1", "k1a", "k0", "k2"};

  /// In the order of time.
  static Feed inOrder() {
    return new Feed(-1, Set.of(), _ -> false, null);
  }

  /// With a record of each stream that comes late.
  static Feed withALateOne() {
    return new Feed(9, Set.of(), _ -> false, null);
  }

  Feed with(Set<String> streams, IntPredicate behind, @Nullable String value) {
    return new Feed(late, streams, behind, value);
  }

  void send(TestJob job) {
    Set<String> sources = job.described().sources();
    for (String topic : List.of(EachOperator.TABLE, EachOperator.IN, EachOperator.OTHER)) {
      if (sources.contains(topic)) {
        for (int i = 0; i < RECORDS; i++) {
          send(job, topic, i, prefix(topic) + i);
          if (to.contains(topic) && at.test(i)) {
            send(job, topic, i, more);
          }
        }
      }
    }
    sources.forEach(job::end);
  }

  private static String prefix(String topic) {
    return switch (topic) {
      case EachOperator.TABLE -> "t";
      case EachOperator.IN -> "v";
      default -> "w";
    };
  }

  private void send(TestJob job, String topic, int number, @Nullable String value) {
    Instant time = EachOperator.START.plusSeconds(number == late ? 1 : number);
    Bytes key = Bytes.ofUtf8(KEYS[number % KEYS.length]);
    Bytes bytes = value == null ? null : Bytes.ofUtf8(value);
    job.send(new InputRecord(new Split(topic, 0), time.toEpochMilli(), key, bytes));
  }

  /// All that was written, in order.
  static List<String> written(TestJob job) {
    List<String> lines = new ArrayList<>();
    for (ModelRecord record : job.written(new Split(EachOperator.OUT, 0))) {
      lines.add(record.keyText() + "=" + record.valueText() + " @" + record.timestamp());
    }
    return lines;
  }
}
