package dev.millrace.benchmarks.nexmark.source;

import dev.millrace.spi.ExternalSource;
import dev.millrace.spi.Log.Offsets;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/// The numbers from 0 to a count, dealt out to splits in turn.
///
/// @param time gives the timestamp of a number, in milliseconds since 1970 (UTC)
/// @param content writes key and value of the record of a number
record Numbers(int splits, long count, LongUnaryOperator time, Content content)
    implements ExternalSource.Connection {

  /// Writes the key and the value of the last record of a batch, or only one of them.
  @FunctionalInterface
  interface Content {
    void write(long number, RecordBatch batch);
  }

  /// The number at an offset of a split.
  long number(Split split, long offset) {
    return offset * splits + split.partition();
  }

  /// How many numbers a split has.
  long size(Split split) {
    if (split.partition() >= splits) {
      throw new LogException(
          Kind.MISSING,
          split,
          "Source '%s' has %d splits; there is no split %d."
              .formatted(split.stream(), splits, split.partition()),
          null);
    }
    return Math.max(0, Math.ceilDiv(count - split.partition(), splits));
  }

  @Override
  public Map<Split, Offsets> offsets(Collection<Split> wanted) {
    Map<Split, Offsets> offsets = new LinkedHashMap<>();
    for (Split split : wanted) {
      offsets.put(split, new Offsets(0, size(split), size(split)));
    }
    return offsets;
  }

  @Override
  public Map<Split, Long> offsetsAt(Collection<Split> wanted, Instant from) {
    Map<Split, Long> offsets = new LinkedHashMap<>();
    for (Split split : wanted) {
      offsets.put(split, firstNotBefore(split, from.toEpochMilli()));
    }
    return offsets;
  }

  private long firstNotBefore(Split split, long millis) {
    long low = 0;
    long high = size(split);
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (time.applyAsLong(number(split, middle)) < millis) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public SplitReader reader(String clientId) {
    return new NumberReader(this);
  }

  /// There is nothing to close.
  @Override
  public void close() {}
}
