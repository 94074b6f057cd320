package dev.millrace.benchmarks.flink.change;

import dev.millrace.benchmarks.change.peer.Assignment;
import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.change.peer.Padding;
import dev.millrace.benchmarks.change.peer.Row;
import dev.millrace.benchmarks.flink.KeyedBytes;
import java.util.Objects;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/// Counts by key and adds up.
final class Totalling extends KeyedProcessFunction<Long, KeyedBytes, KeyedBytes> {
  private static final long serialVersionUID = 1;

  private final TypeInformation<Total> type;
  private final boolean wide;
  private transient @Nullable ValueState<Total> totals;

  Totalling(Assignment assignment) {
    type = Total.type(assignment);
    wide = assignment.has(Assignment.WIDEN_FIELD);
  }

  @Override
  public void open(OpenContext context) {
    totals = getRuntimeContext().getState(new ValueStateDescriptor<>("totals", type));
  }

  @Override
  public void processElement(KeyedBytes record, Context context, Collector<KeyedBytes> out)
      throws Exception {
    ValueState<Total> state = Objects.requireNonNull(totals);
    Event event = Event.of(record.value);
    Total total = state.value();
    if (total == null) {
      total = new Total();
      total.padding = Padding.of(event.key());
    }
    long count = total.count.longValue() + 1;
    if (wide) {
      total.count = count;
    } else {
      total.count = (int) count;
    }
    total.sum += event.amount();
    total.last = event.number();
    total.largest = Math.max(total.largest, event.amount());
    state.update(total);
    if (event.number() != Event.UNNUMBERED) {
      out.collect(
          new KeyedBytes(
              event.key(), Row.ofTotals(event.number(), count, total.sum, total.padding).value()));
    }
  }
}
