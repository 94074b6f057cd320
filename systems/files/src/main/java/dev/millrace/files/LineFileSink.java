package dev.millrace.files;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.spi.ExternalSink;
import java.nio.file.Path;

/// Files in a directory, to which records are written as lines.
///
/// ```java
/// alerts.to(LineFiles.sink("alerts", Path.of("alerts")).value(json(Alert.class)))
/// ```
///
/// Every task has a file of its own, `NAME-TASK.jsonl`, to which each commit appends; so several
/// sinks may share a directory. The file `.NAME-TASK.commit` beside it says which commit that was,
/// so that none is appended twice: the lines are written exactly once. Lines without that file are
/// refused, not overwritten. An empty `.NAME-TASK.lock` keeps two processes from writing at once.
/// Keys and headers are dropped.
public final class LineFileSink<V> implements ExternalSink<Object, V> {
  private final String name;
  private final Path directory;
  private final Serde<V> valueSerde;

  LineFileSink(String name, Path directory, Serde<V> valueSerde) {
    this.name = name;
    this.directory = directory;
    this.valueSerde = valueSerde;
  }

  @Override
  public String stream() {
    return name;
  }

  @Override
  public Serde<V> valueSerde() {
    return valueSerde;
  }

  /// A value is one line.
  @Override
  public void check(Bytes value) {
    int at = lineEnd(value);
    if (at >= 0) {
      throw new SerdeException(
          "The value has a line's end at byte %d of %d; for a file of lines it must be one line."
              .formatted(at, value.length()));
    }
  }

  /// Where the first line ends; -1 if no line does.
  static int lineEnd(Bytes value) {
    for (int at = 0; at < value.length(); at++) {
      if (value.get(at) == '\n') {
        return at;
      }
    }
    return -1;
  }

  @Override
  public Delivery open(String task, String changelog) {
    return new LineFileDelivery(name, directory, task, changelog);
  }
}
