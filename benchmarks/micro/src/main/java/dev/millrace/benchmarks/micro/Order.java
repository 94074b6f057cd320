package dev.millrace.benchmarks.micro;

import java.time.Instant;

/// A record as applications have them: numbers, texts, a time, a constant.
///
/// @param note may be null
record Order(
    long id,
    String customer,
    Status status,
    int items,
    double total,
    Instant at,
    boolean paid,
    String note) {

  /// How far it is.
  enum Status {
    PLACED,
    SENT,
    RETURNED
  }

  /// The n-th of them.
  static Order of(int index) {
    return new Order(
        1_000_000L + index,
        "customer-" + index % 1_000,
        Status.values()[index % 3],
        1 + index % 7,
        index * 1.25,
        Instant.ofEpochSecond(1_700_000_000L + index, index % 1_000 * 1_000_000L),
        index % 2 == 0,
        "as seen in shop " + index % 50);
  }
}
