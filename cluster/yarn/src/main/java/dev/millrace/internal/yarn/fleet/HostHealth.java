package dev.millrace.internal.yarn.fleet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// On which hosts processes fail again and again before they have really begun. At most half of all
/// hosts are avoided: where more of them fail, it is the application that fails.
final class HostHealth {
  private final FleetPolicy policy;
  private final Set<String> known = new TreeSet<>();
  private final Map<String, Deque<Long>> failures = new TreeMap<>();

  /// Until when, by host.
  private final Map<String, Long> avoided = new TreeMap<>();

  private final List<Order> changes = new ArrayList<>();

  HostHealth(FleetPolicy policy) {
    this.policy = policy;
  }

  void know(String host) {
    known.add(host);
  }

  boolean avoids(String host) {
    return avoided.containsKey(host);
  }

  boolean avoidsAny() {
    return !avoided.isEmpty();
  }

  void failed(String host, long nowMillis) {
    Deque<Long> at = failures.computeIfAbsent(host, _ -> new ArrayDeque<>());
    at.addLast(nowMillis);
    while (nowMillis - at.getFirst() > policy.hostWindow().toMillis()) {
      at.removeFirst();
    }
    if (at.size() >= policy.hostFailures()
        && !avoids(host)
        && 2 * (avoided.size() + 1) <= known.size()) {
      avoided.put(host, nowMillis + policy.avoidFor().toMillis());
      changes.add(new Order.Avoid(host));
      at.clear();
    }
  }

  /// Takes hosts back whose time is over.
  void advance(long nowMillis) {
    avoided
        .entrySet()
        .removeIf(host -> {
          boolean over = nowMillis >= host.getValue();
          if (over) {
            changes.add(new Order.Readmit(host.getKey()));
          }
          return over;
        });
  }

  /// Takes all hosts back.
  void forgive() {
    advance(Long.MAX_VALUE);
  }

  /// Returns what has changed since the last time.
  List<Order> changes() {
    List<Order> made = List.copyOf(changes);
    changes.clear();
    return made;
  }
}
