package dev.millrace.benchmarks.flink;

import dev.millrace.benchmarks.scenarios.Tally;
import java.util.Objects;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.jspecify.annotations.Nullable;

/// Hands records on.
final class Tallied extends RichMapFunction<KeyedBytes, KeyedBytes> {
  private static final long serialVersionUID = 1;

  private transient @Nullable Tally tally;

  @Override
  public void open(OpenContext context) {
    tally = Tally.create();
  }

  @Override
  public KeyedBytes map(KeyedBytes event) {
    Objects.requireNonNull(tally).add(1);
    return event;
  }
}
