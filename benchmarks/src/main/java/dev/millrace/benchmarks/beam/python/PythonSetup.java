package dev.millrace.benchmarks.beam.python;

import java.nio.file.Path;
import java.util.List;

/// What is to be run.
///
/// @param servers one after the other
/// @param words of the text that is counted
/// @param warm runs before those that are measured, at least one
/// @param runs of each server, of which the median counts
/// @param heapMb of each server's process
/// @param home of the working copy, where the servers are
public record PythonSetup(
    List<JobServer> servers, long words, int warm, int runs, int heapMb, Path home) {
  public PythonSetup {
    servers = List.copyOf(servers);
    if (words < 1 || warm < 1) {
      throw new IllegalArgumentException(
          "There must be at least one word and one run to get warm; found %,d and %,d."
              .formatted(words, warm));
    }
  }
}
