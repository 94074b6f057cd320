package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Parameters.Parameter;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// What the topics of [Rollouts] must contain, computed from what was written to its inputs alone.
final class RolloutOracle {
  private final ModelLog log;

  /// By user, the profile after each visit.
  private final Map<String, List<String>> profiles = new TreeMap<>();

  private final Map<String, Folded> folded = new TreeMap<>();

  /// By user.
  private final Map<String, List<String>> marks = new TreeMap<>();

  /// How many marks.
  private int written;

  private boolean over;

  /// What was folded of a user's visits.
  private static final class Folded {
    private long count;
    private long sum;
    private final List<String> last = new ArrayList<>();

    String plus(String user, long value, String text) {
      count++;
      sum += value;
      last.add(text + ":" + value);
      if (last.size() > RolloutForms.MOST) {
        last.removeFirst();
      }
      return RolloutForms.text(user, count, sum, last);
    }
  }

  RolloutOracle(ModelLog log) {
    this.log = log;
  }

  /// A record was written to an input.
  void wrote(String topic, String key, String value) {
    if (topic.equals(RolloutProgram.MARKS)) {
      written++;
      marks.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
    } else {
      String[] fields = value.split(" ", -1);
      String profile =
          folded
              .computeIfAbsent(fields[0], _ -> new Folded())
              .plus(fields[0], Long.parseLong(fields[1]), fields[2]);
      profiles.computeIfAbsent(fields[0], _ -> new ArrayList<>()).add(profile);
    }
  }

  /// A record was written behind the windows, which has a user of its own.
  void ended(String topic, String user) {
    over = true;
    if (topic.equals(RolloutProgram.VISITS)) {
      profiles.put(user, List.of(new Folded().plus(user, 1, "end")));
    } else {
      written++;
    }
  }

  /// Whether the results are there that need no window to close.
  boolean isRead() {
    return rows(RolloutProgram.PROFILES).equals(profiles)
        && log.records(RolloutProgram.SEEN).size() == written;
  }

  boolean isComplete() {
    return isRead() && net().equals(marked()) && rows(RolloutProgram.GROUPS).equals(groups());
  }

  /// @throws AssertionError if a row is missing, wrong or there twice
  void requireExact() {
    requireSame("profiles", profiles, rows(RolloutProgram.PROFILES));
    if (over) {
      requireSame("joined rows", marked(), net());
      requireSame("groups", groups(), rows(RolloutProgram.GROUPS));
    }
    log.topics(log.topicNames()).keySet().stream()
        .filter(topic -> topic.startsWith(RolloutProgram.out(0).substring(0, 10)))
        .forEach(this::requireSteps);
  }

  private static void requireSame(
      String what, Map<String, List<String>> expected, Map<String, List<String>> found) {
    for (Map.Entry<String, List<String>> each : expected.entrySet()) {
      Scenario.requireEqual(
          "the " + what + " of " + each.getKey(),
          each.getValue(),
          found.getOrDefault(each.getKey(), List.of()));
    }
    Scenario.requireEqual("the " + what, expected.keySet(), found.keySet());
  }

  /// What is missing or wrong, for messages.
  String difference() {
    try {
      requireExact();
      return "marks seen: %d of %d".formatted(log.records(RolloutProgram.SEEN).size(), written);
    } catch (AssertionError e) {
      return String.valueOf(e.getMessage());
    }
  }

  /// A count is the one before it and one.
  private void requireSteps(String topic) {
    Map<String, List<Long>> counts = new TreeMap<>();
    for (ModelRecord record : log.records(topic)) {
      counts
          .computeIfAbsent(Objects.requireNonNull(record.keyText()), _ -> new ArrayList<>())
          .add(Serdes.longs().read(Objects.requireNonNull(record.value())));
    }
    counts.forEach((key, found) ->
        Scenario.requireEqual(
            topic + " of " + key, LongStream.rangeClosed(1, found.size()).boxed().toList(), found));
  }

  private Map<String, List<String>> marked() {
    Map<String, List<String>> rows = new TreeMap<>();
    marks.forEach((user, all) -> {
      List<String> of = profiles.get(user);
      if (of != null) {
        rows.put(user, all.stream().map(mark -> mark + ": " + of.getLast()).sorted().toList());
      }
    });
    return rows;
  }

  private Map<String, List<String>> groups() {
    Map<String, List<String>> of = new TreeMap<>();
    profiles.forEach((user, all) -> {
      if (folded.containsKey(user)) {
        of.computeIfAbsent(RolloutProgram.group(user), _ -> new ArrayList<>()).add(all.getLast());
      }
    });
    Map<String, List<String>> rows = new TreeMap<>();
    of.forEach((group, all) -> rows.put(group, List.of(RolloutProgram.together(all))));
    return rows;
  }

  private Map<String, List<String>> rows(String topic) {
    Map<String, List<String>> rows = new TreeMap<>();
    for (ModelRecord record : log.records(topic)) {
      rows.computeIfAbsent(Objects.requireNonNull(record.keyText()), _ -> new ArrayList<>())
          .add(Objects.requireNonNull(record.valueText()));
    }
    return rows;
  }

  /// The joined rows that were not taken back, in order.
  private Map<String, List<String>> net() {
    Map<String, List<String>> rows = new TreeMap<>();
    for (ModelRecord record : log.records(RolloutProgram.MARKED)) {
      String user = Objects.requireNonNull(record.keyText());
      List<String> of = rows.computeIfAbsent(user, _ -> new ArrayList<>());
      if (record.headers().stream()
          .noneMatch(header -> header.name().equals("millrace.retraction"))) {
        of.add(Objects.requireNonNull(record.valueText()));
      } else if (!of.remove(record.valueText())) {
        throw new AssertionError("Retracted, but not there: " + record.valueText());
      }
    }
    rows.values().removeIf(List::isEmpty);
    rows.values().forEach(of -> of.sort(null));
    return rows;
  }

  /// A number of a store or a stage has one meaning in all plans that were ever recorded.
  ///
  /// @throws AssertionError if one has two
  static void requireNumbersForEver(List<PlanDescription> recorded) {
    Map<String, String> owners = new TreeMap<>();
    for (PlanDescription plan : recorded) {
      for (Part part : plan.parts()) {
        for (Parameter each : part.parameters().all()) {
          if (each.name().equals("number")) {
            String owner = owners.putIfAbsent(each.value(), part.name());
            if (owner != null && !owner.equals(part.name())) {
              throw new AssertionError(
                  "Store %s was '%s' and is '%s'.".formatted(each.value(), owner, part.name()));
            }
          }
        }
      }
    }
  }
}
