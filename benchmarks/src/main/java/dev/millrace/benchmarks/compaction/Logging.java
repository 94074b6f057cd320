package dev.millrace.benchmarks.compaction;

import dev.millrace.benchmarks.process.Child.Program;

/// Who writes the changelog, and so what is in it.
public enum Logging {
  /// What a commit has changed, each key once; tuples in chunks.
  MILLRACE(WindowsJob.class),
  /// What Samza writes, by a loop by hand: a record for every update, and a tombstone for every key
  /// when its window closes. It is no engine and restores nothing.
  PER_UPDATE(WindowsByHand.class);

  private final Class<?> main;

  Logging(Class<?> main) {
    this.main = main;
  }

  /// What runs in the process of the job.
  Program program() {
    return Program.of(main, "-Xmx1g", "-XX:+UseSerialGC");
  }
}
