package dev.millrace.spi;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.serde.Bytes;

/// A sink that is not a topic of the log. It is a description, as every sink is; [#open] opens what
/// it describes.
///
/// What a task writes to it is kept in the task's state until the commit it belongs to has taken
/// place, and only then delivered: nothing of an aborted commit ever gets here.
public interface ExternalSink<K, V> extends Sink<K, V> {

  /// Returns a sink that is [external][Sink#isExternal], so that it can be opened.
  ///
  /// @throws InvalidTopologyException if it is not one of these
  static <K, V> ExternalSink<K, V> of(Sink<K, V> sink) {
    if (sink instanceof ExternalSink<K, V> external) {
      return external;
    }
    throw new InvalidTopologyException(
        "Sink '%s' names no topic, and nothing says how it is opened. Let %s implement ExternalSink, or have it return a topic."
            .formatted(sink.stream(), sink.getClass().getName()));
  }

  /// Refuses what could never be delivered, such as a line's end in a value of a file of lines.
  /// Called by every task for each value that it writes, before the commit: the record that the
  /// value was made of is then bad input, which can be skipped. Once committed it would stop the
  /// job at every start.
  ///
  /// @param value what [#valueSerde] wrote; valid during the call
  /// @throws dev.millrace.api.serde.SerdeException says what was found and what was expected,
  ///   without the place: the engine adds it
  default void check(Bytes value) {}

  /// Opens the sink for a task, which uses it from one thread and closes it. A task may run in
  /// another process after a crash, never in two at a time, but for the moments until a process
  /// that was cut off notices it.
  ///
  /// @param task its name, such as `1-3`: stage and partition
  /// @param changelog identifies what counts the commits: after the changelog was created anew they
  ///   begin at 1 again. A sink that keeps numbers keeps this with them, and refuses another one
  /// @throws SinkException if it cannot be opened; it is tried again, some times
  Delivery open(String task, String changelog);

  /// Takes one task's records.
  interface Delivery extends AutoCloseable {

    /// Takes the records of one commit, which are durable when this returns. Numbers grow; commits
    /// without records are left out.
    ///
    /// The same number may come again, always with the same records: after a crash, after a
    /// failure, and once more at the next start for the last one. A sink that keeps the number with
    /// the records, or replaces what it has of that number, gets everything exactly once.
    ///
    /// A number may also come late, from a process that was cut off, when the task's next owner has
    /// delivered it and more. It must change nothing of that: what the sink keeps counts, never
    /// what this object remembers of it. To that process the sink may also fail.
    ///
    /// @param batch valid until this returns
    /// @throws SinkException if the records could not be taken; they come again, and the job fails
    ///   if that does not help
    void deliver(long commit, RecordBatch batch);

    @Override
    void close();
  }
}
