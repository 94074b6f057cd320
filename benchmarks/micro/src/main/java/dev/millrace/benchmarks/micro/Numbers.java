package dev.millrace.benchmarks.micro;

import dev.millrace.api.serde.LongSerde;
import dev.millrace.api.serde.Serdes;

/// The serde of numbers, as one that makes no objects.
final class Numbers {
  static final LongSerde LONGS = (LongSerde) Serdes.longs();

  private Numbers() {}
}
