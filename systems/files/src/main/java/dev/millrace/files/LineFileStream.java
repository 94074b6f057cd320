package dev.millrace.files;

import dev.millrace.api.LogTopics;
import dev.millrace.api.Start;
import dev.millrace.api.TopicSettings;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.spi.ExternalSink;
import dev.millrace.spi.ExternalSource;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The lines of the files in a directory, with a type.
///
/// **As a source** every file is a split, in the order of their names; names that begin with `.` or
/// `_` are left out. The files are those that are there when the application first runs: later they
/// may grow, but none may come, go or be rewritten. A record's offset is the byte in its file where
/// its line begins, its timestamp the file's last modification. Empty lines are passed over. What
/// follows the last line's end is a record only if the source is bounded.
///
/// **As a sink** every task has a file of its own, `STREAM-TASK.jsonl`, to which each commit
/// appends; so several sinks may share a directory. The file `.STREAM-TASK.commit` beside it says
/// which commit that was, so that none is appended twice: the lines are written exactly once. Lines
/// without that file are refused, not overwritten. An empty `.STREAM-TASK.lock` keeps two processes
/// from writing at once. Keys and headers are dropped.
public final class LineFileStream<V> implements ExternalSource<V>, ExternalSink<Object, V> {
  private final String name;
  private final Path directory;
  private final Serde<V> valueSerde;
  private final @Nullable EventTime<V> eventTime;
  private final Duration disorder;
  private final boolean bounded;
  private final Start start;

  private LineFileStream(
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

  /// Returns null: a line has no key.
  @Override
  public @Nullable Serde<?> keySerde() {
    return null;
  }

  /// Returns null: a line is never a deletion.
  @Override
  public @Nullable Object deletion() {
    return null;
  }

  /// Returns null: files are no topic.
  @Override
  public @Nullable TopicSettings topic() {
    return null;
  }

  /// Returns null: files are no topics.
  @Override
  public @Nullable LogTopics<LineFileStream<V>> topics() {
    return null;
  }

  static <V> LineFileStream<V> of(String name, Path directory, Serde<V> valueSerde) {
    return new LineFileStream<>(
        name, directory, valueSerde, null, Duration.ZERO, false, Start.earliest());
  }

  /// Takes the event time from the value; events of a file come in its order.
  public LineFileStream<V> eventTime(EventTime<V> time) {
    return eventTime(time, Duration.ZERO);
  }

  /// Takes the event time from the value; an event may be up to `lateness` behind those before it
  /// in its file.
  public LineFileStream<V> eventTime(EventTime<V> time, Duration lateness) {
    return new LineFileStream<>(name, directory, valueSerde, time, lateness, bounded, start);
  }

  /// Where a new application begins to read, if that is not the first line. By time, a file is read
  /// from its beginning unless it was last changed before.
  public LineFileStream<V> startAt(Start newStart) {
    return new LineFileStream<>(
        name, directory, valueSerde, eventTime, disorder, bounded, newStart);
  }

  /// Reading ends at the ends that the files have when the application first reads them.
  public LineFileStream<V> asBounded() {
    return new LineFileStream<>(name, directory, valueSerde, eventTime, disorder, true, start);
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
    return new LineFileSource(name, directory, bounded);
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
