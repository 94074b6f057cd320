package dev.millrace.benchmarks.nexmark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What is left of results when those that were taken back are left out: how often each comes, by
/// its fingerprint, and one that shows it.
final class Net {
  private static final int SHOWN = 5;

  private final Map<Long, Integer> counts = new HashMap<>();
  private final Map<Long, String> shown = new HashMap<>();

  void add(long fingerprint, Object result, boolean isRetraction) {
    if (counts.merge(fingerprint, isRetraction ? -1 : 1, Integer::sum) == 0) {
      counts.remove(fingerprint);
    }
    shown.putIfAbsent(fingerprint, result.toString());
  }

  /// How many there are.
  int size() {
    return counts.values().stream().mapToInt(count -> count).sum();
  }

  /// The sum of all fingerprints, for results that come in pieces.
  long sum() {
    return counts.entrySet().stream().mapToLong(each -> each.getKey() * each.getValue()).sum();
  }

  /// Some results that there are too many or too few of here; empty if there are none.
  List<String> differences(Net expected) {
    List<String> all = new ArrayList<>();
    counts.forEach((fingerprint, count) -> {
      int wanted = expected.counts.getOrDefault(fingerprint, 0);
      if (count > wanted && all.size() < SHOWN) {
        all.add("%d instead of %d: %s".formatted(count, wanted, shown.get(fingerprint)));
      }
    });
    int few = all.size() + SHOWN;
    expected.counts.forEach((fingerprint, wanted) -> {
      int count = counts.getOrDefault(fingerprint, 0);
      if (count < wanted && all.size() < few) {
        all.add("%d instead of %d: %s".formatted(count, wanted, expected.shown.get(fingerprint)));
      }
    });
    return all;
  }
}
