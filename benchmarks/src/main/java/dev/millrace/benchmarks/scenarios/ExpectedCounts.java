package dev.millrace.benchmarks.scenarios;

import java.util.BitSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// One answer for each key that occurs, with how often it does.
public final class ExpectedCounts implements Check.Expected {
  private final int[] counts;
  private final long asked;
  private final boolean byOther;
  private final BitSet answered = new BitSet();

  /// @param byOther whether it was counted by the other key
  public ExpectedCounts(int[] counts, long asked, boolean byOther) {
    this.counts = counts;
    this.asked = asked;
    this.byOther = byOther;
  }

  @Override
  public long records() {
    return asked;
  }

  @Override
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    long key = Event.toLong(record.key(), 0);
    accept(byOther ? Event.keyOf(key) : key, Event.toLong(record.value(), 0));
  }

  /// Takes the count of a key in.
  ///
  /// @throws IllegalStateException if it is wrong, or there twice
  public void accept(long key, long count) {
    if (key < 0 || key >= counts.length || counts[(int) key] == 0) {
      throw new IllegalStateException("Key %d was counted, but is not in the input".formatted(key));
    }
    if (answered.get((int) key)) {
      throw new IllegalStateException("The count of key %d is in the output twice".formatted(key));
    }
    if (counts[(int) key] != count) {
      throw new IllegalStateException(
          "Key %d was counted %,d times, but is in the input %,d times"
              .formatted(key, count, counts[(int) key]));
    }
    answered.set((int) key);
  }

  @Override
  public void finish() {
    // As many answers as keys, none twice and none of another key: all are there.
  }
}
