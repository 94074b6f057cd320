package dev.millrace.testkit.job;

import dev.millrace.api.connector.Sink;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a job has left in the topics it writes, as text, so that two runs can be compared.
///
/// @param topics by name; a line for each value that counts, with its key, in the order of their
///   texts
record Results(Map<String, List<String>> topics) {

  /// Which values count.
  enum Counting {
    /// Those that follow from the input alone: all values; of a table the last one of each key; of
    /// corrected results the last one of each key and event time; none that is retracted by a
    /// record. Which of corrected results without keys still hold is not known, so none counts.
    WHAT_IS_DETERMINED,
    /// All of each key, in order.
    EVERY_RECORD,
    /// The last one of each key.
    LATEST
  }

  static Results of(TestJob job, Counting counting) {
    Map<String, List<String>> topics = new TreeMap<>();
    for (String topic : job.described().sinks()) {
      List<ModelRecord> records = new ArrayList<>();
      for (int i = 0; i < job.partitions(topic); i++) {
        records.addAll(job.written(new Split(topic, i)));
      }
      List<String> lines = new Topic(job.described(), topic).lines(records, counting);
      Collections.sort(lines);
      topics.put(topic, lines);
    }
    return new Results(topics);
  }

  /// How a topic's records are read.
  private record Topic(
      String name, Described described, @Nullable Serde<Object> keys, Sink<Object, Object> sink) {
    Topic(Described described, String name) {
      this(name, described, Described.keySerde(described.sink(name)), described.sink(name));
    }

    List<String> lines(List<ModelRecord> records, Counting counting) {
      if (keys == null) {
        boolean known = sink.retractions() || !described.isCorrected(name);
        return known || counting == Counting.EVERY_RECORD ? net(records) : new ArrayList<>();
      }
      return switch (counting) {
        case EVERY_RECORD -> inOrder(records);
        case LATEST -> last(records, false);
        case WHAT_IS_DETERMINED ->
            sink.retractions() || !described.isCorrected(name)
                ? net(records)
                : last(records, !described.isTable(name));
      };
    }

    /// Returns all values except those that are retracted.
    private List<String> net(List<ModelRecord> records) {
      List<String> lines = new ArrayList<>();
      for (ModelRecord record : records) {
        String line = line(record);
        if (!TestOutput.isRetraction(record)) {
          lines.add(line);
        } else if (!lines.remove(line)) {
          lines.add("not " + line);
        }
      }
      return lines;
    }

    private List<String> inOrder(List<ModelRecord> records) {
      Map<String, String> byKey = new TreeMap<>();
      for (ModelRecord record : records) {
        String not = TestOutput.isRetraction(record) ? "not " : "";
        byKey.merge(key(record), not + value(record), (before, next) -> before + ", " + next);
      }
      List<String> lines = new ArrayList<>();
      byKey.forEach((key, values) -> lines.add(key + " = " + values));
      return lines;
    }

    private List<String> last(List<ModelRecord> records, boolean eachTime) {
      Map<String, String> lasts = new TreeMap<>();
      for (ModelRecord record : records) {
        String place = key(record) + (eachTime ? " at " + record.timestamp() : "");
        if (record.value() == null || TestOutput.isRetraction(record)) {
          lasts.remove(place);
        } else {
          lasts.put(place, line(record));
        }
      }
      return new ArrayList<>(lasts.values());
    }

    private String line(ModelRecord record) {
      return keys == null ? value(record) : key(record) + " = " + value(record);
    }

    private String key(ModelRecord record) {
      Bytes key = record.key();
      return text(key, key == null ? null : Objects.requireNonNull(keys).read(key));
    }

    private String value(ModelRecord record) {
      return text(record.value(), TestOutput.value(record, sink.valueSerde()));
    }
  }

  /// As its class has it, or its bytes if that says nothing of it.
  private static String text(@Nullable Bytes bytes, @Nullable Object value) {
    if (bytes == null || value == null) {
      return "nothing";
    }
    return saysWhatItIs(value) ? value.toString() : HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static boolean saysWhatItIs(Object value) {
    try {
      return !(value instanceof Bytes)
          && value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  /// Returns the differences to the results of another run; empty if they are the same.
  String differences(Results other) {
    StringBuilder text = new StringBuilder();
    topics.forEach((topic, lines) -> {
      List<String> missing = new ArrayList<>(Objects.requireNonNull(other.topics.get(topic)));
      List<String> surplus = new ArrayList<>();
      for (String line : lines) {
        if (!missing.remove(line)) {
          surplus.add(line);
        }
      }
      append(text, "Topic '" + topic + "' lacks:", missing);
      append(text, "Topic '" + topic + "' has too much:", surplus);
    });
    return text.toString();
  }

  private static void append(StringBuilder text, String what, List<String> lines) {
    if (!lines.isEmpty()) {
      text.append("\n  ").append(what);
      lines.forEach(line -> text.append("\n    ").append(line));
    }
  }
}
