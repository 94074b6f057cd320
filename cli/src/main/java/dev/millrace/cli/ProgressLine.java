package dev.millrace.cli;

import java.io.Console;
import java.io.PrintWriter;

/// Shows how far something is: on a terminal in one line that changes, elsewhere in a line now and
/// then.
final class ProgressLine {
  private static final long EVERY_NANOS = 2_000_000_000;

  private final PrintWriter out;
  private final boolean terminal;
  private int width;
  private long shownNanos = System.nanoTime() - EVERY_NANOS;

  ProgressLine(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /// Returns whether this process writes to a terminal.
  static boolean onTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /// Shows a text, unless that would be too often.
  void show(String text) {
    if (terminal) {
      overwrite(text);
    } else if (System.nanoTime() - shownNanos >= EVERY_NANOS) {
      shownNanos = System.nanoTime();
      out.println(text);
      out.flush();
    }
  }

  /// Shows the last text and leaves it.
  void end(String text) {
    if (terminal) {
      overwrite(text);
      out.println();
    } else {
      out.println(text);
    }
    out.flush();
    width = 0;
  }

  private void overwrite(String text) {
    out.print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
    out.flush();
    width = text.length();
  }
}
