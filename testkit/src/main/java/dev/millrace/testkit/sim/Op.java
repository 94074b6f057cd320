package dev.millrace.testkit.sim;

/// An operator of a drawn topology, in words that say what to build and what to compute. Operators
/// are named by their index; inputs have smaller ones.
sealed interface Op {

  /// @param keyed whether records have their item's key, which says the partition; else none
  /// @param disorderMillis how far behind those before it an item of a partition may be
  record FromTopic(String topic, int partitions, boolean keyed, int disorderMillis) implements Op {}

  /// Those whose number is no multiple.
  record Filter(int from, int modulo) implements Op {}

  /// A larger number.
  record MapValues(int from, int added) implements Op {}

  /// A longer key, of the item; that of the record is dropped.
  record Map(int from) implements Op {}

  /// [Item#several]; the record's key is dropped.
  record FlatMap(int from) implements Op {}

  record Merge(int from, int other) implements Op {}

  /// Running sums of the numbers of each key.
  record Sum(int from, By by) implements Op {}

  /// Of each key and window how many items, or the sum of their numbers.
  record Windowed(int from, By by, int millis, boolean sums) implements Op {}

  /// The largest counts of each window.
  record Top(int from, By by, int millis, int most) implements Op {}

  /// [Buckets].
  record Bucketed(int from, By by) implements Op {}

  record ToTopic(int from, String topic, int partitions) implements Op {}

  /// What items are brought together by.
  ///
  /// @param exchange whether through one; else by the key the records have
  /// @param modulo of the number, through an exchange; 0 for the item's key
  record By(boolean exchange, int modulo) {
    /// The new key of an item that goes through an exchange.
    static String key(Item item, int modulo) {
      return modulo == 0 ? item.key() : "g" + item.number() % modulo;
    }
  }

  /// What operators and topics are called after.
  static String name(int index) {
    return "op-" + index;
  }
}
