package dev.millrace.spi;

import java.nio.file.Path;
import java.util.concurrent.CompletionStage;

/// A Kafka broker inside this process, for development, demonstrations and tests. Thread-safe.
public interface LocalBroker extends AutoCloseable {

  /// Returns the address where clients in this and other processes of the host connect, as
  /// `host:port`.
  String bootstrapServers();

  /// Returns the id of the cluster, which is the same at every start with the same directory.
  String clusterId();

  /// Returns the directory that holds its data.
  Path directory();

  /// Returns a stage that completes if the broker fails, with the cause, for example a full or lost
  /// disk. It never completes otherwise. The broker must still be closed, but not by a function
  /// that is called by this stage.
  CompletionStage<LogException> failure();

  /// Stops the broker and waits until it has ended. Does nothing the second time.
  @Override
  void close();

  /// Starts local brokers. Found by [java.util.ServiceLoader], so that only programs that need one
  /// have it on their class path.
  interface Provider {

    /// Starts a broker and waits until clients can connect, which takes a few seconds. It keeps
    /// records without limit of time and does not create topics automatically.
    ///
    /// @param directory for its data, which is kept for the next start
    /// @param port where clients connect, on the loopback interface; 0 for a free one
    /// @throws LogException if it does not start; the message says why and what to do
    LocalBroker start(Path directory, int port);
  }
}
