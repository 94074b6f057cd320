package dev.millrace.benchmarks.beam;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// What the readers of killed processes did: lines at the end of a file, which outlive them.
///
/// @param file where the lines are
record Journal(String file) implements Serializable {

  /// One thing that a reader did.
  ///
  /// @param what `begun`, `given` or `committed`
  /// @param process which process it was
  /// @param part which part of the source it reads
  /// @param events at how many events of that part; -1 if it has begun without a mark
  record Line(String what, long process, int part, long events) {}

  void begun(int part, long events) {
    tell("begun", part, events);
  }

  void given(int part, long events) {
    tell("given", part, events);
  }

  void committed(int part, long events) {
    tell("committed", part, events);
  }

  private void tell(String what, int part, long events) {
    String line = "%s %d %d %d\n".formatted(what, ProcessHandle.current().pid(), part, events);
    try {
      Files.write(
          Path.of(file),
          line.getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The whole lines so far, in the order of time.
  List<Line> lines() throws IOException {
    if (!Files.exists(Path.of(file))) {
      return List.of();
    }
    String all = Files.readString(Path.of(file));
    List<Line> lines = new ArrayList<>();
    for (String line : all.substring(0, all.lastIndexOf('\n') + 1).lines().toList()) {
      String[] words = line.split(" ");
      lines.add(
          new Line(
              words[0],
              Long.parseLong(words[1]),
              Integer.parseInt(words[2]),
              Long.parseLong(words[3])));
    }
    return lines;
  }
}
