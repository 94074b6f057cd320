package dev.millrace.testkit.job;

import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.job.OddRun.Found;
import dev.millrace.testkit.job.OddRun.Incomplete;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What an operator does with one kind of odd records, compared with what it does with plain ones.
enum OddCell {
  /// The results are those of plain records, one by one.
  EXACT("="),
  /// The last result of each key, or of each key and window, is that of plain records; what was
  /// written in between differs.
  LAST("≈"),
  /// It stops the job with a message that says where and what to do, or is a dead letter.
  REFUSED("!"),
  /// None of its inputs can have this.
  NONE("–");

  static final Set<String> STREAMS = Set.of(EachOperator.IN, EachOperator.OTHER);

  /// What operators are called for which records without a value are records like others.
  private static final String ASKS_FOR_DELETIONS = "from, with deletions";

  private static final int LARGE = 5;

  final String mark;

  OddCell(String mark) {
    this.mark = mark;
  }

  private static Found plain(String operator) {
    return OddRun.of(operator, Oddity.none()).run(false);
  }

  /// @throws AssertionError if the results are others and nothing is refused
  static OddCell of(String operator, Oddity oddity) {
    if (oddity.isOfDays() && !operator.startsWith("days: ")) {
      return NONE;
    }
    boolean timed = oddity.isOfTimes();
    OddRun run = OddRun.of(operator, oddity);
    OddRun oracle = OddRun.of(operator, oddity.twice() ? Oddity.marked() : Oddity.none());
    if (oddity.isAheadOfTheClock()) {
      run = run.inOrder();
      oracle = oracle.inOrder();
    }
    Found found = run.run(timed);
    if (found.failure() != null) {
      return refused(found.failure());
    }
    if (operator.contains("sample") || operator.contains("share")) {
      return sampled(operator, oddity, found, timed);
    }
    boolean once = oddity.twice() && operator.contains("deduplicate by an attribute");
    Found expected = once ? plain(operator) : oracle.run(timed);
    if ((oddity.twice() || oddity.isAheadOfTheClock()) && !found.byKey().equals(expected.byKey())) {
      same(run, found.determined(), expected.determined());
      return LAST;
    }
    return same(run, found.byKey(), expected.byKey());
  }

  /// Of each key, or of each attribute, either all records are there or none.
  private static OddCell sampled(String operator, Oddity oddity, Found found, boolean timed) {
    String all = operator.contains("without keys") ? "to, without keys" : "to";
    boolean byKey = operator.equals("sample") || operator.equals("branch by a share");
    Found input = OddRun.of(all, oddity).run(timed);
    Map<String, List<String>> groups = groups(input, byKey);
    groups(found, byKey)
        .forEach((group, records) -> {
          if (!records.equals(groups.get(group))) {
            throw new AssertionError(operator + ", " + oddity.name() + ": a part of " + group);
          }
        });
    return EXACT;
  }

  private static Map<String, List<String>> groups(Found found, boolean byKey) {
    if (byKey) {
      return found.byKey();
    }
    Map<String, List<String>> groups = new TreeMap<>();
    found
        .byKey()
        .forEach((key, values) ->
            values.forEach(value ->
                groups.merge(
                    value,
                    List.of(key),
                    (a, b) -> Stream.concat(a.stream(), b.stream()).toList())));
    return groups;
  }

  /// A message that names a record, or a result by its operator and key, and what can be done.
  private static OddCell refused(String message) {
    boolean record = message.matches("(?s).*record at [a-z.-]+:0:[0-9]+ .*");
    boolean result = message.matches("(?s).*the row of .* '.*' for key .* in sink 'out'.*");
    boolean how = message.contains("--skip ") || message.contains("errors.on-error: ");
    if ((!record && !result) || !how) {
      throw new AssertionError("Neither record nor way out in: " + message);
    }
    return REFUSED;
  }

  /// Records of some topics that have no key, between others.
  static OddCell withoutKey(String operator, Set<String> topics) {
    OddRun run = OddRun.of(operator, Oddity.none());
    OddRun odd = run.with(new Incomplete(topics, null, true));
    Found found = odd.run(false);
    if (Collections.disjoint(found.sources(), topics)) {
      return NONE;
    }
    if (found.failure() != null) {
      return leftOut(odd, found);
    }
    // Whoever takes them does with them what it does with those of a key of their own.
    Found expected = run.with(new Incomplete(topics, "k9", true)).run(false);
    return same(odd, found.byKey(), expected.byKey());
  }

  /// Records of streams that have no value, between others.
  static OddCell withoutValue(String operator) {
    OddRun odd = OddRun.of(operator, Oddity.none()).with(new Incomplete(STREAMS, "k1", false));
    Found found = odd.run(false);
    if (operator.startsWith(ASKS_FOR_DELETIONS)) {
      if (found.failure() != null) {
        throw new AssertionError(operator + " asks for them: " + found.failure());
      }
      return NONE;
    }
    return Collections.disjoint(found.sources(), STREAMS) ? NONE : leftOut(odd, found);
  }

  /// They stop the job; where they are dead letters, the rest is as if they were not there.
  private static OddCell leftOut(OddRun odd, Found stopped) {
    refused(Objects.requireNonNull(stopped.failure(), "They are taken."));
    Found found = odd.onError(OnError.DEAD_LETTER).run(false);
    long topics = found.sources().stream().filter(odd.incomplete().topics()::contains).count();
    if (found.letters().size() != topics * Incomplete.BEHIND.size()) {
      throw new AssertionError(odd.operator() + ": dead letters " + found.letters());
    }
    same(odd, found.determined(), plain(odd.operator()).determined());
    return REFUSED;
  }

  private static OddCell same(OddRun odd, Object found, Object expected) {
    if (!found.equals(expected)) {
      throw new AssertionError(
          "%s, %s:%n  found    %s%n  expected %s"
              .formatted(odd.operator(), odd.oddity().name(), found, expected));
    }
    return EXACT;
  }

  /// A record that is larger than whatever keeps or sends it may take.
  static OddCell withALargeOne(String operator) {
    OddRun odd = OddRun.of(operator, Oddity.none()).withALargeOne(LARGE);
    Found found = odd.run(false);
    return found.failure() == null
        ? same(odd, found.byKey(), plain(operator).byKey())
        : refused(found.failure());
  }
}
