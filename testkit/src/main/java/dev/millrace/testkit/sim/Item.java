package dev.millrace.testkit.sim;

import dev.millrace.testkit.KeyPool;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What flows through a drawn topology.
///
/// @param at its event time, in milliseconds since 1970 (UTC); that of the record too, everywhere
record Item(String key, long number, long at) implements Comparable<Item> {

  /// The number of an item that says of its partition that all before it have come.
  static final long MARK = 100;

  /// Where the watermark stands behind an item; for [Op.Time#MARKED].
  static Instant mark(Instant before, Item item, Instant time) {
    return item.number == MARK ? time : before;
  }

  Item withNumber(long newNumber) {
    return new Item(key, newNumber, at);
  }

  /// As many as its number's remainder by three.
  List<Item> several() {
    return switch ((int) (number % 3)) {
      case 0 -> List.of();
      case 1 -> List.of(this);
      default -> List.of(this, withNumber(number + 7));
    };
  }

  /// What becomes of two items that are joined; the time is that of the later one, or when a
  /// partner could have come at the latest.
  static Item pair(@Nullable Item left, @Nullable Item right, int before, int after) {
    if (left != null && right != null) {
      return new Item(left.key, 2 * left.number + right.number, Math.max(left.at, right.at));
    }
    if (left != null) {
      return new Item(left.key, 2 * left.number + 5, left.at + Math.max(0, after));
    }
    Item only = Objects.requireNonNull(right);
    return new Item(only.key, only.number + 7, only.at + Math.max(0, before));
  }

  /// What becomes of an item that looks something up.
  ///
  /// @param found null if there is nothing
  static Item lookup(Item item, @Nullable Item found) {
    return item.withNumber(2 * item.number + (found == null ? 5 : found.number));
  }

  /// What becomes of two entries of tables that are joined.
  static Item entry(@Nullable Item left, @Nullable Item right) {
    long number = (left == null ? 3 : 2 * left.number) + (right == null ? 1 : right.number);
    return new Item("", number, 0);
  }

  /// The key of another table's entry that its number stands for; null for some numbers.
  ///
  /// @param modulo by which that table is grouped; 0 for items' keys
  /// @param keys of items
  @Nullable String refersTo(int modulo, KeyPool keys) {
    if (number % 11 == 7) {
      return null;
    }
    return modulo == 0 ? keys.text(number) : Op.By.group(number, modulo);
  }

  @Override
  public int compareTo(Item other) {
    int byKey = key.compareTo(other.key);
    int byTime = byKey != 0 ? byKey : Long.compare(at, other.at);
    return byTime != 0 ? byTime : Long.compare(number, other.number);
  }
}
