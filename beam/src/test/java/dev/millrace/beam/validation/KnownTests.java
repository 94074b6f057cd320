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
/// left out for behind a colon.
final class KnownTests {
  private static final String FILE = "/validates-runner.txt";
  private static final String REASON = ": ";

  private KnownTests() {}

  /// Returns the names of those that are run.
  static SortedSet<String> run() {
    SortedSet<String> run = new TreeSet<>();
    lines()
        .forEach((name, reason) -> {
          if (reason.isEmpty()) {
            run.add(name);
          }
        });
    return run;
  }

  /// Returns the names of those that are left out, with the reasons.
  static SortedMap<String, String> leftOut() {
    SortedMap<String, String> leftOut = new TreeMap<>();
    lines()
        .forEach((name, reason) -> {
          if (!reason.isEmpty()) {
            leftOut.put(name, reason);
          }
        });
    return leftOut;
  }

  private static SortedMap<String, String> lines() {
    SortedMap<String, String> lines = new TreeMap<>();
    try (InputStream in = Objects.requireNonNull(KnownTests.class.getResourceAsStream(FILE))) {
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
