package dev.millrace.examples.crash;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a job can be doing when it is killed. Each is begun and ended by lines of the trace.
enum Phase {
  /// Records were read, and nothing else was begun since.
  PROCESSING("processing"),
  /// A commit was asked for, and its outcome is not known.
  COMMIT("commit begun"),
  /// A sorted run is being written.
  FLUSH("flush begun"),
  /// A changelog is being replayed.
  RESTORE("restore begun");

  final String begun;

  Phase(String begun) {
    this.begun = begun;
  }

  /// What the threads of a process were doing at the end of its trace. A worker processes while the
  /// outcome of its commit is awaited, so it may do both.
  static Set<Phase> at(List<JobTrace.Line> lines) {
    Map<String, Set<Phase>> threads = new LinkedHashMap<>();
    for (JobTrace.Line line : lines) {
      Set<Phase> open = threads.computeIfAbsent(line.thread(), thread -> new HashSet<>());
      open.remove(PROCESSING);
      for (Phase phase : values()) {
        if (line.event().startsWith(phase.begun)) {
          open.add(phase);
        }
      }
      switch (line.event()) {
        case "commit ended", "commit failed" -> open.remove(COMMIT);
        case "flush ended" -> open.remove(FLUSH);
        case "restore ended" -> open.remove(RESTORE);
        default -> {}
      }
    }
    Set<Phase> all = EnumSet.noneOf(Phase.class);
    threads.values().forEach(all::addAll);
    return all;
  }
}
