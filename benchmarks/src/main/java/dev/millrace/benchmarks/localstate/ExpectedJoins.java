package dev.millrace.benchmarks.localstate;

import dev.millrace.benchmarks.scenarios.Check;
import dev.millrace.benchmarks.scenarios.Event;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Each record that was looked up, once, with what the table has for its id.
final class ExpectedJoins implements Check.Expected {
  private static final int VALUE = 2 * Long.BYTES;

  private final long records;
  private final LongUnaryOperator idOf;
  private final BitSet seen = new BitSet();

  /// @param records that were looked up, with the numbers from 0 on
  /// @param idOf the id of a number
  ExpectedJoins(long records, LongUnaryOperator idOf) {
    this.records = records;
    this.idOf = idOf;
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    accept(record.value());
  }

  void accept(byte[] joined) {
    long id = Event.toLong(joined, 0);
    long number = Event.toLong(joined, Long.BYTES);
    if (number < 0 || number >= records || idOf.applyAsLong(number) != id) {
      throw new IllegalStateException(
          "Record %d with id %d is in the output, but not in the input".formatted(number, id));
    }
    byte[] wanted = Messages.tableValue(id);
    if (!Arrays.equals(wanted, 0, wanted.length, joined, VALUE, VALUE + wanted.length)) {
      throw new IllegalStateException(
          "Record %d was joined with a value that is not that of id %d".formatted(number, id));
    }
    if (seen.get((int) number)) {
      throw new IllegalStateException("Record %d is in the output twice".formatted(number));
    }
    seen.set((int) number);
  }

  @Override
  public void finish() {
    // As many as went in, none twice: all are there.
  }
}
