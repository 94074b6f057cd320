package dev.millrace.benchmarks.beam;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What the journal says of each process: where its readers began, what they committed, and how far
/// they came.
final class Lives {
  private final Map<Long, Life> byProcess = new LinkedHashMap<>();

  private Lives() {}

  private static final class Life {
    /// By the number of the part, as are the others.
    private final Map<Integer, Long> begun = new TreeMap<>();

    private final Map<Integer, Long> committed = new TreeMap<>();
    private final Map<Integer, Long> given = new TreeMap<>();

    void add(Journal.Line line) {
      switch (line.what()) {
        case "begun" -> begun.put(line.part(), line.events());
        case "committed" -> committed.merge(line.part(), line.events(), Math::max);
        default -> given.merge(line.part(), line.events(), Math::max);
      }
    }

    boolean hasCommitted() {
      return committed.entrySet().stream()
          .anyMatch(each -> each.getValue() > Math.max(0, begun.getOrDefault(each.getKey(), 0L)));
    }

    /// Where the next process goes on at least.
    long mark(int part) {
      return Math.max(committed.getOrDefault(part, 0L), begun.getOrDefault(part, 0L));
    }

    @Override
    public String toString() {
      return "begun at %s, committed %s, given %s".formatted(begun, committed, given);
    }
  }

  /// The processes in the order of their lives.
  static Lives of(List<Journal.Line> lines) {
    Lives lives = new Lives();
    for (Journal.Line line : lines) {
      lives.byProcess.computeIfAbsent(line.process(), _ -> new Life()).add(line);
    }
    return lives;
  }

  /// Whether a process has committed something that was not before.
  boolean hasCommitted(long process) {
    Life life = byProcess.get(process);
    return life != null && life.hasCommitted();
  }

  /// Asserts that each process began at marks that were not before what the one before it had
  /// committed; and that most were killed in the midst of work, which was done again.
  void assertWentOn() {
    List<Life> lives = new ArrayList<>(byProcess.values());
    int inTheMidst = 0;
    for (int i = 1; i < lives.size(); i++) {
      Life before = lives.get(i - 1);
      Life next = lives.get(i);
      String shown = "%nprocess %d: %s%nprocess %d: %s".formatted(i, before, i + 1, next);
      assertTrue(before.hasCommitted(), "The first of them has committed nothing:" + shown);
      boolean again = false;
      for (Map.Entry<Integer, Long> part : next.begun.entrySet()) {
        long from = part.getValue();
        assertTrue(from >= before.mark(part.getKey()), "A reader has lost its mark:" + shown);
        again |= before.given.getOrDefault(part.getKey(), 0L) > from;
      }
      inTheMidst += again ? 1 : 0;
    }
    int kills = lives.size() - 1;
    assertTrue(
        2 * inTheMidst >= kills,
        "%d of %d were killed in the midst of work.".formatted(inTheMidst, kills));
  }
}
