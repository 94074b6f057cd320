package dev.millrace.benchmarks.compaction;

import dev.millrace.benchmarks.report.Names;
import java.util.Map;
import java.util.TreeMap;

/// What is run.
record Case(Logging logging, Keeping keeping, Policy policy) {
  /// What it is called within one way of logging: `folding, relaxed`.
  String windows() {
    return Names.of(keeping) + ", " + Names.of(policy);
  }

  /// Settings of the changelog topic.
  Map<String, String> settings() {
    Map<String, String> all = new TreeMap<>(policy.settings());
    all.put("cleanup.policy", "compact");
    return all;
  }

  @Override
  public String toString() {
    return Names.of(logging) + ", " + windows();
  }
}
