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

/// What the applications of [EachOperator] read and write, as texts.
final class Feed {
  static final int RECORDS = 14;

  /// One that comes late.
  private static final int LATE = 9;

  private static final String[] KEYS = {"k1", "k1a", "k0", "k2"};

  private Feed() {}

  /// @param emptyAt behind which records of a stream comes one of the same key and time that has no
  ///   value
  static void send(TestJob job, IntPredicate emptyAt) {
    Set<String> sources = job.described().sources();
    if (sources.contains(EachOperator.TABLE)) {
      for (int i = 0; i < RECORDS; i++) {
        send(job, EachOperator.TABLE, i, "t" + i);
      }
    }
    for (String topic : List.of(EachOperator.IN, EachOperator.OTHER)) {
      if (sources.contains(topic)) {
        for (int i = 0; i < RECORDS; i++) {
          send(job, topic, i, (topic.equals(EachOperator.IN) ? "v" : "w") + i);
          if (emptyAt.test(i)) {
            send(job, topic, i, null);
          }
        }
      }
    }
    sources.forEach(job::end);
  }

  private static void send(TestJob job, String topic, int number, @Nullable String value) {
    Instant time = EachOperator.START.plusSeconds(number == LATE ? 1 : number);
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
