package dev.millrace.spi;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.connector.Source;

/// A source that is not a topic of the log. It is a description, as every source is; [#connect]
/// opens what it describes.
///
/// The engine keeps the positions of its splits in the job's own commits: after a crash it is read
/// again from the last commit on, so the same position must lead to the same records.
public interface ExternalSource<V> extends Source<V> {

  /// Returns a source that is [external][Source#isExternal], so that it can be opened.
  ///
  /// @throws InvalidTopologyException if it is not one of these
  static <V> ExternalSource<V> of(Source<V> source) {
    if (source instanceof ExternalSource<V> external) {
      return external;
    }
    throw new InvalidTopologyException(
        "Source '%s' names no topic, and nothing says how it is opened. Let %s implement ExternalSource, or have it return a topic."
            .formatted(source.stream(), source.getClass().getName()));
  }

  /// Opens the system. Each process of an application does so, and closes it.
  Connection connect();

  /// An open system. Thread-safe; its readers are not.
  interface Connection extends SplitSource, AutoCloseable {

    /// How many splits there are, numbered from 0; the same whenever the application runs. A split
    /// is what one task reads.
    int splits();

    @Override
    void close();
  }
}
