package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Finding.Goal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Collects what is measured, in the order in which it is measured first.
final class Findings {
  private record Key(Rows row, String scene, String what) {}

  private record Collected(String unit, Goal goal, List<Double> samples) {}

  private final Map<Key, Collected> all = new LinkedHashMap<>();

  /// Adds a sample.
  void add(Rows row, String scene, String what, String unit, Goal goal, double sample) {
    all.computeIfAbsent(
            new Key(row, scene, what), _ -> new Collected(unit, goal, new ArrayList<>()))
        .samples
        .add(sample);
  }

  List<Finding> list() {
    List<Finding> findings = new ArrayList<>();
    all.forEach((key, each) ->
        findings.add(
            new Finding(key.row, key.scene, key.what, each.unit, each.goal, each.samples)));
    return findings;
  }
}
