package dev.millrace;

import dev.millrace.spi.Log;

/// The connection of a job to its log. Closing it also ends what was started for it.
interface LogConnection extends AutoCloseable {

  Log log();

  @Override
  void close();
}
