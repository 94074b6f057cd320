package dev.millrace.internal.yarn.fleet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What [Fleet] should ask for, computed from everything that has happened so far, each time anew.
/// It keeps no states: it looks at the history of each process.
final class FleetOracle {
  /// Something that has happened to a process: it got a container, or its container ended, or it
  /// lost the container at once because its host is avoided.
  private record Event(long millis, String kind, String host, int status) {}

  private final FleetPolicy policy;
  private final List<List<Event>> histories = new ArrayList<>();
  private final List<String> homes;
  private final Set<String> known;
  private final List<Long> steps = new ArrayList<>();

  /// When which host failed, and when all were forgiven.
  private final List<Event> ofHosts = new ArrayList<>();

  private final Map<Integer, Set<String>> hopelessAtAsk = new TreeMap<>();

  FleetOracle(FleetPolicy policy, int count, List<String> homes, List<String> hosts) {
    this.policy = policy;
    this.homes = homes;
    known = new HashSet<>(hosts);
    for (int i = 0; i < count; i++) {
      histories.add(new ArrayList<>());
    }
  }

  void granted(int process, String host, long now) {
    known.add(host);
    histories.get(process).add(new Event(now, "granted", host, 0));
  }

  void refused(int process, String host, long now) {
    known.add(host);
    histories.get(process).add(new Event(now, "refused", host, 0));
  }

  void ended(int process, int status, long now) {
    List<Event> history = histories.get(process);
    Event granted = history.getLast();
    history.add(new Event(now, "ended", granted.host(), status));
    boolean early = now - granted.millis() < policy.shortLife().toMillis();
    boolean unstarted = List.of(126, 127, -1000, -101).contains(status);
    if (unstarted || (isFailure(status) && early)) {
      ofHosts.add(new Event(now, "failed", granted.host(), status));
    }
  }

  void forgiven(long now) {
    ofHosts.add(new Event(now, "forgiven", "", 0));
  }

  void step(long now) {
    steps.add(now);
  }

  private static boolean isFailure(int status) {
    return !List.of(0, 2, 3, 4, 6, 137, 143, -100, -102, -105, -106, -107, -108).contains(status);
  }

  /// Returns the hosts that are avoided at a time, by going through all failures.
  Set<String> avoided(long now) {
    Map<String, Long> until = new TreeMap<>();
    Map<String, List<Long>> counted = new TreeMap<>();
    int at = 0;
    for (Event each : ofHosts) {
      // A host comes back with the first step after its time.
      for (; at < steps.size() && steps.get(at) <= each.millis(); at++) {
        long step = steps.get(at);
        // A failure in the same moment comes before the step.
        if (step < each.millis() || each.kind().equals("forgiven")) {
          until.values().removeIf(end -> step >= end);
        }
      }
      if (each.kind().equals("forgiven")) {
        until.clear();
        continue;
      }
      List<Long> times = counted.computeIfAbsent(each.host(), _ -> new ArrayList<>());
      times.add(each.millis());
      times.removeIf(time -> each.millis() - time > policy.hostWindow().toMillis());
      if (times.size() >= policy.hostFailures()
          && !until.containsKey(each.host())
          && 2 * (until.size() + 1) <= known.size()) {
        until.put(each.host(), each.millis() + policy.avoidFor().toMillis());
        times.clear();
      }
    }
    for (; at < steps.size(); at++) {
      long step = steps.get(at);
      until.values().removeIf(end -> step >= end);
    }
    return until.keySet();
  }

  /// Returns what becomes of a process: "over 3", "runs", "rests", "asked HOST" or "asked
  /// anywhere".
  ///
  /// @param now the time of the last step
  String expected(int process, long now, Set<String> avoidedNow) {
    List<Event> history = histories.get(process);
    String home = process < homes.size() ? homes.get(process) : null;
    long due = 0;
    int failures = 0;
    Event begun = null;
    for (Event each : history) {
      switch (each.kind()) {
        case "granted" -> {
          begun = each;
          home = each.host();
        }
        case "refused" -> due = each.millis();
        default -> {
          if (List.of(0, 2, 3, 4).contains(each.status())) {
            return "over " + each.status();
          }
          boolean longLived = each.millis() - begun.millis() >= policy.longLife().toMillis();
          failures = longLived ? 0 : failures;
          long pause = 0;
          if (isFailure(each.status())) {
            failures++;
            if (failures >= policy.giveUpAfter()) {
              return "over " + each.status();
            }
            pause =
                Math.min(
                    policy.longestPause().toMillis(),
                    policy.shortestPause().toMillis() << Math.min(failures - 1, 20));
          } else if (each.status() == 137 || each.status() == 143) {
            pause = policy.shortestPause().toMillis();
          }
          due = each.millis() + pause;
        }
      }
    }
    if (!history.isEmpty() && history.getLast().kind().equals("granted")) {
      return "runs";
    }
    long from = due;
    int last = history.isEmpty() ? 0 : stepsBefore(history.getLast());
    var asked = steps.subList(last, steps.size()).stream().filter(s -> s >= from).findFirst();
    if (asked.isEmpty()) {
      return "rests";
    }
    if (home == null) {
      return "asked anywhere";
    }
    boolean relaxed =
        now - asked.get() >= policy.affinityWait().toMillis()
            || wasHopeless(process, history.size(), home, avoidedNow);
    return relaxed ? "asked anywhere" : "asked " + home;
  }

  /// How many steps there were before an event.
  private int stepsBefore(Event event) {
    int count = 0;
    while (count < steps.size() && steps.get(count) < event.millis()) {
      count++;
    }
    return count;
  }

  /// Whether the home was avoided at any step since the process is asked for: an ask that was
  /// relaxed stays so.
  private boolean wasHopeless(int process, int life, String home, Set<String> avoidedNow) {
    Set<String> seen = hopelessAtAsk.computeIfAbsent(process, _ -> new HashSet<>());
    String key = life + "@" + home;
    if (avoidedNow.contains(home)) {
      seen.add(key);
    }
    return seen.contains(key);
  }
}
