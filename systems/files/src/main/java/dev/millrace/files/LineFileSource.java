package dev.millrace.files;

import dev.millrace.api.connector.Start;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.serde.Serde;
import dev.millrace.spi.ExternalSource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The lines of the files in a directory, to read.
///
/// ```java
/// topology.from(LineFiles.source("orders", Path.of("orders")).value(json(Order.class)).asBounded())
/// ```
///
/// Every file is a split, in the order of their names; names that begin with `.` or `_` are left
/// out. The files are those that are there when the application first runs: later they may grow,
/// but none may come, go or be rewritten. A record's offset is the byte in its file where its line
/// begins, its timestamp the file's last modification. Empty lines are passed over. What follows
/// the last line's end is a record only if the source is bounded.
public final class LineFileSource<V> implements ExternalSource<V> {
  private final String name;
  private final Path directory;
  private final Serde<V> valueSerde;
  private final @Nullable EventTime<V> eventTime;
  private final Duration disorder;
  private final boolean bounded;
  private final Start start;

  private LineFileSource(
      String name,
      Path directory,
      Serde<V> valueSerde,
      @Nullable EventTime<V> eventTime,
      Duration disorder,
      boolean bounded,
      Start start) {
    this.name = name;
    this.directory = directory;
    this.valueSerde = valueSerde;
    this.eventTime = eventTime;
    this.disorder = disorder;
    this.bounded = bounded;
    this.start = start;
  }

  static <V> LineFileSource<V> of(String name, Path directory, Serde<V> valueSerde) {
    return new LineFileSource<>(
        name, directory, valueSerde, null, Duration.ZERO, false, Start.earliest());
  }

  /// Takes the event time from the value; the events of a file are in its order.
  ///
  /// ```java
  /// LineFiles.source("orders", orders).value(json(Order.class)).eventTime(Order::at)
  /// ```
  ///
  /// @param time a pure function
  public LineFileSource<V> eventTime(EventTime<V> time) {
    return eventTime(time, Duration.ZERO);
  }

  /// Takes the event time from the value.
  ///
  /// ```java
  /// LineFiles.source("orders", orders).value(json(Order.class)).eventTime(Order::at, ofMinutes(5))
  /// ```
  ///
  /// @param time a pure function
  /// @param newDisorder how much earlier an event may be than those before it in its file
  public LineFileSource<V> eventTime(EventTime<V> time, Duration newDisorder) {
    if (newDisorder.isNegative()) {
      throw new IllegalArgumentException(
          "The disorder of source '" + name + "' cannot be negative; found " + newDisorder + ".");
    }
    return new LineFileSource<>(name, directory, valueSerde, time, newDisorder, bounded, start);
  }

  /// Begins to read in a new application with the lines that come from now on, instead of the
  /// first.
  ///
  /// ```java
  /// LineFiles.source("orders", orders).value(json(Order.class)).startAtLatest()
  /// ```
  public LineFileSource<V> startAtLatest() {
    return with(Start.latest());
  }

  /// Begins to read in a new application with files that were changed at or after a time, each from
  /// its first line; of the others only what comes from now on is read.
  ///
  /// ```java
  /// LineFiles.source("orders", orders).value(json(Order.class)).startAt(yesterday)
  /// ```
  public LineFileSource<V> startAt(Instant time) {
    return with(Start.at(time));
  }

  private LineFileSource<V> with(Start newStart) {
    return new LineFileSource<>(
        name, directory, valueSerde, eventTime, disorder, bounded, newStart);
  }

  /// Ends reading at the ends that the files have when the application first reads them.
  ///
  /// ```java
  /// LineFiles.source("orders", orders).value(json(Order.class)).asBounded()
  /// ```
  @Override
  public LineFileSource<V> asBounded() {
    return new LineFileSource<>(name, directory, valueSerde, eventTime, disorder, true, start);
  }

  @Override
  public String stream() {
    return name;
  }

  @Override
  public Serde<V> valueSerde() {
    return valueSerde;
  }

  @Override
  public @Nullable EventTime<V> eventTime() {
    return eventTime;
  }

  @Override
  public Duration disorder() {
    return disorder;
  }

  @Override
  public boolean bounded() {
    return bounded;
  }

  @Override
  public Start start() {
    return start;
  }

  @Override
  public Connection connect() {
    return new LineFileSplits(name, directory, bounded);
  }
}
