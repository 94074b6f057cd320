package dev.millrace.cli;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A terminal whose lines are written again and again in place. What stood there before is back
/// when it is closed.
final class Screen implements AutoCloseable {
  private static final String BEGIN = "\033[?1049h\033[?25l";
  private static final String END = "\033[?25h\033[?1049l";
  private static final String HOME = "\033[H";
  private static final String REST_OF_LINE = "\033[K";
  private static final String REST_OF_SCREEN = "\033[J";
  private static final int USUAL_LINES = 24;

  private final PrintWriter out;
  private boolean closed;

  Screen(PrintWriter out) {
    this.out = out;
    out.print(BEGIN);
    out.flush();
  }

  synchronized void show(List<String> lines) {
    if (closed) {
      return;
    }
    StringBuilder text = new StringBuilder(HOME);
    for (int i = 0; i < lines.size(); i++) {
      text.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append(REST_OF_LINE);
    }
    out.print(text.append(REST_OF_SCREEN));
    out.flush();
  }

  /// Returns how many lines the terminal has now.
  static int lines() throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectErrorStream(true)
              .start();
      String[] size =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
              .strip()
              .split(" ");
      boolean said = process.waitFor(1, TimeUnit.SECONDS) && process.exitValue() == 0;
      int lines = said && size.length == 2 ? Integer.parseInt(size[0]) : 0;
      return lines > 0 ? lines : USUAL_LINES;
    } catch (IOException | NumberFormatException _) { // no such command, or not that one
      return USUAL_LINES;
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      out.print(END);
      out.flush();
    }
  }
}
