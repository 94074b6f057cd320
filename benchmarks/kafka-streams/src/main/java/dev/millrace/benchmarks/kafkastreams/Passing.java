package dev.millrace.benchmarks.kafkastreams;

import dev.millrace.benchmarks.scenarios.Tally;
import java.util.Objects;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/// Hands records on.
final class Passing implements Processor<byte[], byte[], byte[], byte[]> {
  private @Nullable ProcessorContext<byte[], byte[]> context;
  private @Nullable Tally tally;

  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    tally = Tally.create();
  }

  @Override
  public void process(Record<byte[], byte[]> event) {
    Objects.requireNonNull(context).forward(event);
    Objects.requireNonNull(tally).add(1);
  }
}
