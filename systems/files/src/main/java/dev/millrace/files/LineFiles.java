package dev.millrace.files;

import dev.millrace.api.serde.Serde;
import java.nio.file.Path;

/// Directories of text files as sources and sinks: a record is a line, in the form that a serde
/// gives it. With a serde for JSON these are JSON lines.
///
/// ```java
/// topology.from(LineFiles.source("orders", Path.of("orders")).value(json(Order.class)).asBounded());
/// alerts.to(LineFiles.sink("alerts", Path.of("alerts")).value(json(Alert.class)));
/// ```
public final class LineFiles {
  private LineFiles() {}

  /// Returns a directory to read, whose lines are not described yet.
  ///
  /// ```java
  /// topology.from(LineFiles.source("orders", Path.of("orders")).value(json(Order.class)))
  /// ```
  ///
  /// @param name of the stream, unique in the application: 1 to 100 lower-case letters, digits and
  ///   `-`
  public static UntypedSource source(String name, Path directory) {
    return new UntypedSource(name, directory);
  }

  /// Returns a directory to write, whose lines are not described yet.
  ///
  /// ```java
  /// alerts.to(LineFiles.sink("alerts", Path.of("alerts")).value(json(Alert.class)))
  /// ```
  ///
  /// @param name of the stream, unique in the application: 1 to 100 lower-case letters, digits and
  ///   `-`. It is part of the names of the files, such as `alerts-0-0.jsonl`: sinks of one
  ///   application may write to the same directory
  public static UntypedSink sink(String name, Path directory) {
    return new UntypedSink(name, directory);
  }

  /// A directory to read, before the serde of its lines is known.
  public static final class UntypedSource {
    private final String name;
    private final Path directory;

    private UntypedSource(String name, Path directory) {
      this.name = name;
      this.directory = directory;
    }

    /// Sets the serde of a line, without the line's end.
    public <V> LineFileSource<V> value(Serde<V> serde) {
      return LineFileSource.of(name, directory, serde);
    }
  }

  /// A directory to write, before the serde of its lines is known.
  public static final class UntypedSink {
    private final String name;
    private final Path directory;

    private UntypedSink(String name, Path directory) {
      this.name = name;
      this.directory = directory;
    }

    /// Sets the serde of a line, without the line's end. A value that it writes with one is bad
    /// input.
    public <V> LineFileSink<V> value(Serde<V> serde) {
      return new LineFileSink<>(name, directory, serde);
    }
  }
}
