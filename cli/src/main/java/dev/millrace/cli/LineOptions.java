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
      description = "Write each line of standard input as a record instead: its value, in UTF-8.")
  private boolean write;

  @Option(
      names = "--keys",
      description = "With --write: a line is a key, the separator, and the value.")
  private boolean keys;

  @Option(
      names = "--separator",
      paramLabel = "TEXT",
      description = "With --keys: what is between key and value; a tab if not given.")
  private String separator = "\t";

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description =
          "With --write: a value that is TEXT is written as none, which deletes its key where"
              + " topics are compacted or read as tables.")
  private @Nullable String none;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "With --write: a header of each record. May be repeated.")
  private final Map<String, String> headers = new LinkedHashMap<>();

  boolean write() {
    return write;
  }

  /// Whether something was said that is about writing alone.
  boolean saysHow() {
    return keys || none != null || !headers.isEmpty() || !separator.equals("\t");
  }

  /// Makes a record of a line.
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
            "Line %d has no '%s' between a key and a value: '%s'. The lines before it were written."
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
