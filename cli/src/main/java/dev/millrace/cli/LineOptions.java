package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How a line of text becomes a record.
final class LineOptions {
  @Option(
      names = "--write",
      description =
          "Write to the topic instead: each line of standard input becomes the value of a record,"
              + " in UTF-8.")
  private boolean write;

  @Option(
      names = "--keys",
      description = "With --write: a line consists of a key, the separator and a value.")
  private boolean keys;

  @Option(
      names = "--separator",
      paramLabel = "TEXT",
      description = "With --keys: the separator of key and value; default: a tab.")
  private String separator = "\t";

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description =
          "With --write: a value equal to TEXT is written as null, which deletes its key in"
              + " compacted topics and in tables.")
  private @Nullable String none;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "With --write: a header of each record. May be repeated.")
  private final Map<String, String> headers = new LinkedHashMap<>();

  boolean write() {
    return write;
  }

  /// Returns whether something was said that is about writing alone.
  boolean saysHow() {
    return keys || none != null || !headers.isEmpty() || !separator.equals("\t");
  }

  /// Converts a line to a record.
  ///
  /// @param number of the line, from 1
  ProducerRecord<String, @Nullable String> record(String topic, String line, long number) {
    String key = null;
    String value = line;
    if (keys) {
      int at = line.indexOf(separator);
      if (at < 0) {
        throw new UserException(
            ExitCode.USAGE,
            "Line %d has no '%s' between key and value: '%s'. The lines before it were written."
                .formatted(number, separator.equals("\t") ? "tab" : separator, line));
      }
      key = line.substring(0, at);
      value = line.substring(at + separator.length());
    }
    ProducerRecord<String, @Nullable String> record =
        new ProducerRecord<String, @Nullable String>(topic, key, value.equals(none) ? null : value);
    headers.forEach(
        (name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
    return record;
  }
}
