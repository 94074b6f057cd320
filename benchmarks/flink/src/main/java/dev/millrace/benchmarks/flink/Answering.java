package dev.millrace.benchmarks.flink;

import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.benchmarks.scenarios.Tally;
import java.util.Objects;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/// Counts by key, and answers records that ask.
final class Answering extends KeyedProcessFunction<Long, KeyedBytes, KeyedBytes> {
  private static final long serialVersionUID = 1;

  private transient @Nullable ValueState<Long> counts;
  private transient @Nullable Tally tally;

  @Override
  public void open(OpenContext context) {
    counts =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("counts", BasicTypeInfo.LONG_TYPE_INFO));
    tally = Tally.create();
  }

  @Override
  public void processElement(KeyedBytes event, Context context, Collector<KeyedBytes> out)
      throws Exception {
    ValueState<Long> state = Objects.requireNonNull(counts);
    Long count = state.value();
    long number = count == null ? 0 : count;
    if (Event.asks(event.value, 0)) {
      out.collect(new KeyedBytes(event.key, Event.toBytes(number)));
    } else {
      state.update(number + 1);
    }
    Objects.requireNonNull(tally).add(1);
  }
}
