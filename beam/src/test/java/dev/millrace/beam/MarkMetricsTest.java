package dev.millrace.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a source counts when it makes a mark belongs to the transform that reads it, as KafkaIO
/// counts there by how much it is behind.
class MarkMetricsTest {

  @Test
  void whatIsCountedWhenAMarkIsMadeIsThere() {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs("--runner=MillraceRunner", "--settings=log=memory")
                .create());
    pipeline.apply("Read", Read.from(new One()));
    PipelineResult result = pipeline.run();

    assertEquals(State.DONE, result.waitUntilFinish());
    List<Long> made = new ArrayList<>();
    result
        .metrics()
        .queryMetrics(MetricsFilter.builder().addStep("Read").build())
        .getCounters()
        .forEach(counter -> made.add(counter.getAttempted()));
    assertEquals(1, made.size(), made.toString());
    assertTrue(made.getFirst() > 0, made.toString());
  }

  /// A source of a single number.
  private static final class One extends UnboundedSource<Long, One.Mark> {
    record Mark() implements CheckpointMark, Serializable {
      @Override
      public void finalizeCheckpoint() {
        // Nobody waits for it.
      }
    }

    @Override
    public List<One> split(int parts, PipelineOptions options) {
      return List.of(this);
    }

    @Override
    public UnboundedReader<Long> createReader(PipelineOptions options, @Nullable Mark mark) {
      return new Reader();
    }

    @Override
    public Coder<Mark> getCheckpointMarkCoder() {
      return SerializableCoder.of(Mark.class);
    }

    @Override
    public Coder<Long> getOutputCoder() {
      return VarLongCoder.of();
    }

    private final class Reader extends UnboundedReader<Long> {
      @Override
      public boolean start() {
        return true;
      }

      @Override
      public boolean advance() {
        return false;
      }

      @Override
      public Long getCurrent() {
        return 1L;
      }

      @Override
      public Instant getCurrentTimestamp() {
        return Instant.EPOCH;
      }

      @Override
      public Instant getWatermark() {
        return BoundedWindow.TIMESTAMP_MAX_VALUE;
      }

      @Override
      public CheckpointMark getCheckpointMark() {
        Metrics.counter(One.class, "marks").inc();
        return new Mark();
      }

      @Override
      public UnboundedSource<Long, ?> getCurrentSource() {
        return One.this;
      }

      @Override
      public void close() {
        // It holds nothing.
      }
    }
  }
}
