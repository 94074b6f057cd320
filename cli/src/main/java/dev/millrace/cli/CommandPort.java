package dev.millrace.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/// A port that a person gives.
final class CommandPort {
  private static final int LAST = 65_535;

  private CommandPort() {}

  /// Fails unless the number is a port, or 0 for a free one.
  static void require(CommandLine command, int port) {
    if (port < 0 || port > LAST) {
      throw new ParameterException(
          command, "--port is %d; it must be a number from 0 to %d.".formatted(port, LAST));
    }
  }
}
