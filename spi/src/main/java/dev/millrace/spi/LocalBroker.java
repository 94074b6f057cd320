package dev.millrace.spi;

import java.nio.file.Path;
import java.util.concurrent.CompletionStage;

/// A broker inside this process, for development, demonstrations and tests. Thread-safe.
public interface LocalBroker extends AutoCloseable {

  /// Where clients in this and other processes of the host connect, as `host:port`.
  String bootstrapServers();

  /// The same at every start on the same directory.
  String clusterId();

  /// The directory that holds its data.
  Path directory();

  /// Completes when it has stopped working by itself, with what happened: its disk is full or lost,
  /// for one. Never completes otherwise. It must still be closed, and not by a thread that runs
  /// what is hung on this.
  CompletionStage<LogException> failure();

  /// Stops it and waits for its end. Does nothing the second time.
  @Override
  void close();

  /// Starts such brokers. Found by [java.util.ServiceLoader], so that only a program that wants one
  /// has it on its class path.
  interface Provider {

    /// Starts a broker and waits until clients can connect, which takes a few seconds. It keeps
    /// what it is given without limit of time and creates no topic by itself.
    ///
    /// @param directory for its data, which it finds again at its next start
    /// @param port where clients connect, on the loopback interface; 0 for a free one
    /// @throws LogException if it does not start; the message says why and what to do
    LocalBroker start(Path directory, int port);
  }
}
