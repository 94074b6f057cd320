package dev.millrace.testkit.sim;

/// What is known of the records of an operator.
///
/// @param keyed whether they have keys
/// @param ordered whether the order of each key's records is determined
/// @param determined whether the records themselves are
/// @param ownKey whether the key is the item's
/// @param level how many exchanges lie before it
/// @param partitions of the topic it comes from; -1 behind an exchange
/// @param late whether they may be late
/// @param corrected whether some are taken back
/// @param table whether that may be at any time, or they come at any time; their event times are
///   not determined
/// @param entries whether they are the entries of one table
record Traits(
    boolean keyed,
    boolean ordered,
    boolean determined,
    boolean ownKey,
    int level,
    int partitions,
    boolean late,
    boolean corrected,
    boolean table,
    boolean entries) {

  static Traits ofTopic(Op.FromTopic topic) {
    boolean keyed = topic.keyed();
    boolean late = topic.time() == Op.Time.UNKNOWN;
    return new Traits(keyed, keyed, true, keyed, 0, topic.partitions(), late, false, false, false);
  }

  /// The same records without keys.
  Traits withoutKeys() {
    return new Traits(false, false, true, false, level, partitions, late, corrected, table, false);
  }

  /// The same records under their items' keys.
  Traits underOwnKeys() {
    return new Traits(
        true, false, determined, true, level, partitions, late, corrected, table, false);
  }

  /// The same records, but of those of a table some at least.
  Traits asStream() {
    return new Traits(
        keyed, ordered, determined, ownKey, level, partitions, late, corrected, table, false);
  }

  /// The same records in no order.
  Traits unordered() {
    return new Traits(
        keyed, false, determined, ownKey, level, partitions, late, corrected, table, entries);
  }

  /// The same records at event times that are not determined.
  Traits atAnyTime() {
    return new Traits(
        keyed, ordered, determined, ownKey, level, partitions, late, corrected, true, false);
  }

  /// Records that are made of these and others: under equal keys, in no order.
  Traits with(Traits other) {
    return new Traits(
        keyed,
        false,
        true,
        ownKey && other.ownKey,
        isBeside(other) ? level : Math.max(level, other.level) + 1,
        isBeside(other) ? partitions : -1,
        late || other.late,
        corrected || other.corrected,
        table || other.table,
        false);
  }

  /// The same results, late and corrected or not.
  Traits changing(boolean yes) {
    return new Traits(
        keyed, ordered, determined, ownKey, level, partitions, yes, yes, table, entries);
  }

  /// The same records, late and corrected as others are.
  Traits asLate(Traits other) {
    return new Traits(
        keyed,
        ordered,
        determined,
        ownKey,
        level,
        partitions,
        other.late,
        other.corrected,
        table,
        entries);
  }

  /// Whether results that come of them are late and corrected.
  boolean changing() {
    return late || corrected;
  }

  /// Whether they may meet others by key, where they are [#isBeside] each other or brought there.
  boolean meets(Traits other) {
    return other.determined && keyed && other.keyed && !table && !other.table;
  }

  /// Whether both are in one task, so that they meet there as they are.
  boolean isBeside(Traits other) {
    return other.level == level && partitions == other.partitions;
  }

  /// The entries of a table that is made of these.
  Traits asTable() {
    return new Traits(true, false, true, false, level, partitions, late, true, true, true);
  }
}
