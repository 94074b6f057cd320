package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What writers were told about their transactions, and what a reader must therefore see.
///
/// Knows nothing of how a log works: a committed transaction is seen as a whole, an aborted one not
/// at all, one whose outcome nobody was told is one of the two, and each writer's records keep
/// their order.
final class WriterHistory {
  /// What the writer was told.
  enum Verdict {
    COMMITTED,
    ABORTED,
    /// The outcome was never told.
    EITHER
  }

  /// A transaction from its first record on.
  static final class Transaction {
    final int number;
    final String writerId;
    final TreeMap<Split, List<String>> values = new TreeMap<>();

    /// The offset behind its last record of each split, once committed.
    final TreeMap<Split, Long> ends = new TreeMap<>();

    /// The position it sent to the group of its writer, or -1.
    long position = -1;

    Verdict verdict = Verdict.ABORTED;

    Transaction(int number, String writerId) {
      this.number = number;
      this.writerId = writerId;
    }

    @Override
    public String toString() {
      return "transaction " + number + " of " + writerId + ", " + verdict + ", " + values;
    }
  }

  private final List<Transaction> transactions = new ArrayList<>();

  Transaction begin(String writerId) {
    Transaction transaction = new Transaction(transactions.size(), writerId);
    transactions.add(transaction);
    return transaction;
  }

  List<Transaction> transactions() {
    return transactions;
  }

  long count(Verdict verdict) {
    return transactions.stream().filter(one -> one.verdict == verdict).count();
  }

  /// Checks what a reader saw in the end.
  ///
  /// @param seen all records of each split, in order
  void check(Map<Split, List<ModelRecord>> seen) {
    Map<String, Transaction> owners = new HashMap<>();
    for (Transaction transaction : transactions) {
      for (List<String> values : transaction.values.values()) {
        values.forEach(value -> owners.put(value, transaction));
      }
    }
    TreeMap<Split, Map<Transaction, List<String>>> found = new TreeMap<>();
    for (Map.Entry<Split, List<ModelRecord>> split : seen.entrySet()) {
      found.put(split.getKey(), checkOrder(split.getKey(), split.getValue(), owners));
    }
    for (Transaction transaction : transactions) {
      checkWhole(transaction, found);
      if (transaction.verdict == Verdict.COMMITTED) {
        checkEnds(transaction, seen);
      }
    }
  }

  private static Map<Transaction, List<String>> checkOrder(
      Split split, List<ModelRecord> records, Map<String, Transaction> owners) {
    Map<Transaction, List<String>> found = new HashMap<>();
    Map<String, Integer> lastOfWriter = new HashMap<>();
    long last = -1;
    for (ModelRecord record : records) {
      assertTrue(record.offset() > last, () -> split + " is not in order at " + record);
      last = record.offset();
      Transaction owner = owners.get(LogBench.text(record));
      assertNotNull(owner, () -> split + " has a record that nobody sent: " + record);
      int before = lastOfWriter.getOrDefault(owner.writerId, -1);
      assertTrue(before <= owner.number, () -> record + " of " + owner + " came after " + before);
      lastOfWriter.put(owner.writerId, owner.number);
      found.computeIfAbsent(owner, key -> new ArrayList<>()).add(LogBench.text(record));
    }
    return found;
  }

  private static void checkWhole(
      Transaction transaction, Map<Split, Map<Transaction, List<String>>> found) {
    int splitsSeen = 0;
    for (Map.Entry<Split, List<String>> sent : transaction.values.entrySet()) {
      List<String> seen =
          found.getOrDefault(sent.getKey(), Map.of()).getOrDefault(transaction, List.of());
      if (!seen.isEmpty()) {
        splitsSeen++;
        assertEquals(sent.getValue(), seen, () -> "In " + sent.getKey() + " of " + transaction);
      }
    }
    boolean all = splitsSeen == transaction.values.size();
    boolean none = splitsSeen == 0;
    switch (transaction.verdict) {
      case COMMITTED -> assertTrue(all, () -> "Lost: " + transaction);
      case ABORTED -> assertTrue(none, () -> "Seen: " + transaction);
      case EITHER -> assertTrue(all || none, () -> "Torn: " + transaction);
    }
    if (transaction.verdict == Verdict.EITHER && !transaction.values.isEmpty()) {
      transaction.verdict = none ? Verdict.ABORTED : Verdict.COMMITTED;
    }
  }

  private static void checkEnds(Transaction transaction, Map<Split, List<ModelRecord>> seen) {
    transaction.ends.forEach((split, end) -> {
      String last = transaction.values.getOrDefault(split, List.of()).getLast();
      ModelRecord record =
          seen.getOrDefault(split, List.of()).stream()
              .filter(one -> one.offset() == end - 1)
              .findAny()
              .orElseThrow(() -> new AssertionError("No record before " + end + " of " + split));
      assertEquals(last, record.valueText(), () -> "Before " + end + " of " + transaction);
    });
  }

  /// Checks the position of the group of a writer, after [#check].
  ///
  /// @param position what the log says, or -1
  void checkPosition(String writerId, long position) {
    List<Long> possible = new ArrayList<>(List.of(-1L));
    for (Transaction transaction : transactions) {
      if (transaction.writerId.equals(writerId) && transaction.position >= 0) {
        if (transaction.verdict == Verdict.COMMITTED) {
          possible.clear();
        }
        if (transaction.verdict != Verdict.ABORTED) {
          possible.add(transaction.position);
        }
      }
    }
    assertTrue(
        possible.contains(position),
        () -> "The group of " + writerId + " is at " + position + ", not one of " + possible);
  }
}
