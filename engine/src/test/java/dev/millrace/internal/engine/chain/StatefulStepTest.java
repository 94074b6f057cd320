package dev.millrace.internal.engine.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.spi.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// When an operator with state has values decoded.
final class StatefulStepTest {
  private static final long REFUSED = 7;

  private final Step.Place place = new Step.Place(new Probe(1));
  private final Numbers numbers = new Numbers();

  @Test
  void onlyWhatIsAskedForIsDecodedAndOnlyOnce() {
    process(
        List.of(
            step(rows -> {
              if (rows.offset() % 2 == 1) {
                assertSame(rows.value(), rows.value());
              }
            })),
        Running.batch(10, 11, REFUSED, 13));
    assertEquals(List.of(11L, 13L), numbers.decoded);
  }

  @Test
  void rowsReadFromTheFrontAgainAreTheSame() {
    List<Object> seen = new ArrayList<>();
    Consumer<RowCursor> twice =
        rows -> {
          seen.add(rows.value());
          if (seen.size() == 2) {
            rows.rewind();
          }
        };
    process(List.of(step(twice)), Running.batch(10, 11, 12));
    assertEquals(List.<Object>of(10L, 11L, 10L, 11L, 12L), seen);
  }

  @Test
  void forSeveralStepsValuesAreDecodedOnce() {
    process(List.of(step(RowCursor::value), step(RowCursor::value)), Running.batch(10, 11, 12));
    assertEquals(List.of(10L, 11L, 12L), numbers.decoded);
  }

  @Test
  void aValueThatCannotBeReadIsNamed() {
    for (int steps : new int[] {1, 2}) {
      List<Step> all = new ArrayList<>();
      for (int i = 0; i < steps; i++) {
        all.add(step(RowCursor::value));
      }
      RecordBatch batch = Running.batch(10, 11, REFUSED, 13);
      assertThrows(SerdeException.class, () -> process(all, batch));
      assertEquals(2, place.record(), steps + " steps");
      assertEquals("stateful", place.operator());
    }
  }

  private void process(List<Step> steps, RecordBatch batch) {
    Step head = new Step.Head("head", place);
    steps.forEach(head::then);
    Rows rows = new Rows();
    rows.startUndecoded(batch, numbers);
    for (int i = 0; i < batch.size(); i++) {
      rows.addOrigin(i, batch.timestamp(i));
    }
    head.process(rows);
  }

  private Step step(Consumer<RowCursor> each) {
    return new StatefulStep("stateful", place, () -> new Reading(each), null);
  }

  /// Shows each row, and makes none.
  private record Reading(Consumer<RowCursor> each) implements Operator {
    @Override
    public void open(OperatorContext context) {}

    @Override
    public void process(RowCursor rows, RowSink out) {
      while (rows.next()) {
        each.accept(rows);
      }
    }

    @Override
    public boolean advance(long watermark, int budget, RowSink out) {
      return true;
    }

    @Override
    public void close() {}
  }

  /// Numbers as [Running#batch] writes them; notes which were decoded.
  private static final class Numbers implements Serde<Object> {
    private final List<Long> decoded = new ArrayList<>();

    @Override
    public String id() {
      return "numbers";
    }

    @Override
    public void write(Object value, BytesWriter out) {
      throw new AssertionError("Nothing is written here.");
    }

    @Override
    public Object read(Bytes in) {
      long number = 0;
      for (int i = 0; i < in.length(); i++) {
        number = number << 8 | in.get(i) & 0xFF;
      }
      number ^= Long.MIN_VALUE;
      if (number == REFUSED) {
        throw new SerdeException("refused");
      }
      decoded.add(number);
      return number;
    }
  }
}
