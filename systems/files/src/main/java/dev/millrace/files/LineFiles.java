package dev.millrace.files;

import dev.millrace.api.serde.Serde;
import java.nio.file.Path;

/// Directories of text files as sources and sinks: a record is a line, in the form that a serde
/// gives it. With a serde for JSON these are JSON lines.
///
/// ```java
/// topology.from(LineFiles.in("orders", Path.of("orders")).value(json(Order.class)).asBounded());
/// alerts.to(LineFiles.in("alerts", Path.of("alerts")).value(json(Alert.class)));
/// ```
///
/// A sink's name is part of the names of its files, such as `alerts-0-0.jsonl`: sinks of one
/// application may write to the same directory. See [LineFileStream].
public final class LineFiles {
  private LineFiles() {}

  /// A directory whose lines are not described yet.
  ///
  /// @param name of the stream, unique in the application: 1 to 100 lower-case letters, digits and
  ///   `-`
  public static Untyped in(String name, Path directory) {
    return new Untyped(name, directory);
  }

  /// A directory before its lines' serde is known.
  public static final class Untyped {
    private final String name;
    private final Path directory;

    private Untyped(String name, Path directory) {
      this.name = name;
      this.directory = directory;
    }

    /// The serde of a line, without the line's end. A value that it writes with one is bad input.
    public <V> LineFileStream<V> value(Serde<V> serde) {
      return LineFileStream.of(name, directory, serde);
    }
  }
}
