package dev.millrace.benchmarks.flink;

import dev.millrace.benchmarks.recovery.PaddedCount;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/// Counts by key. What it has done is kept in static fields, as Flink makes copies of it and all of
/// them run in one process.
final class Counting extends KeyedProcessFunction<Long, Event, Long> implements CheckpointListener {
  private static final long serialVersionUID = 1;
  private static final Map<Integer, LongAdder> RECORDS = new ConcurrentHashMap<>();
  private static final Map<Integer, LongAdder> CHECKPOINTS = new ConcurrentHashMap<>();

  private transient @Nullable ValueState<byte[]> counts;
  private transient @Nullable LongAdder records;
  private transient @Nullable LongAdder checkpoints;

  static long records() {
    return RECORDS.values().stream().mapToLong(LongAdder::sum).sum();
  }

  static int subtasksAtWork() {
    return (int) RECORDS.values().stream().filter(each -> each.sum() > 0).count();
  }

  /// How many checkpoints are complete.
  static long checkpoints() {
    return CHECKPOINTS.values().stream().mapToLong(LongAdder::sum).min().orElse(0);
  }

  @Override
  public void open(OpenContext context) {
    counts =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>(
                    "counts", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    records = RECORDS.computeIfAbsent(subtask, _ -> new LongAdder());
    checkpoints = CHECKPOINTS.computeIfAbsent(subtask, _ -> new LongAdder());
  }

  @Override
  public void processElement(Event event, Context context, Collector<Long> out) throws Exception {
    ValueState<byte[]> state = Objects.requireNonNull(counts);
    byte[] count = state.value();
    byte[] next = PaddedCount.addOne(count == null ? PaddedCount.zero() : count);
    state.update(next);
    Objects.requireNonNull(records).increment();
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) {
    Objects.requireNonNull(checkpoints).increment();
  }
}
