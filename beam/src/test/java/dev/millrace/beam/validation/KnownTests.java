package dev.millrace.beam.validation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What is known of the tests of Beam: a line for each in `validates-runner.txt`, with what it is
/// left out for behind a colon. Other files have those that are left out under conditions that
/// these are run under besides.
final class KnownTests {
  private static final String ALL = "/validates-runner.txt";
  private static final String REASON = ": ";

  private KnownTests() {}

  /// Returns the names of those that are run.
  static SortedSet<String> run() {
    SortedSet<String> run = new TreeSet<>();
    lines(ALL)
        .forEach((name, reason) -> {
          if (reason.isEmpty()) {
            run.add(name);
          }
        });
    return run;
  }

  /// Returns the names of those that are left out of all, with the reasons.
  static SortedMap<String, String> leftOut() {
    return leftOut(ALL);
  }

  /// Returns the names of those that a file leaves out, with the reasons.
  static SortedMap<String, String> leftOut(String file) {
    SortedMap<String, String> leftOut = new TreeMap<>();
    lines(file)
        .forEach((name, reason) -> {
          if (!reason.isEmpty()) {
            leftOut.put(name, reason);
          }
        });
    return leftOut;
  }

  private static SortedMap<String, String> lines(String file) {
    SortedMap<String, String> lines = new TreeMap<>();
    try (InputStream in = Objects.requireNonNull(KnownTests.class.getResourceAsStream(file))) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("//"))
          .forEach(line -> {
            int reason = line.indexOf(REASON);
            lines.put(
                reason < 0 ? line : line.substring(0, reason),
                reason < 0 ? "" : line.substring(reason + REASON.length()));
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }
}
