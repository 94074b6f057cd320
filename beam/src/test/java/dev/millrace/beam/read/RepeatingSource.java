package dev.millrace.beam.read;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/// The numbers from 0 to before an end, which all parts give, some of them twice. A reader that
/// begins at a mark gives some again that were before it, as a queue does whose elements were not
/// acknowledged. So it asks for elements to be told apart.
final class RepeatingSource extends UnboundedSource<Long, RepeatingSource.Mark> {
  private static final long BACK = 5;

  private final long end;

  RepeatingSource(long end) {
    this.end = end;
  }

  /// @param next number that was to be read
  record Mark(long next) implements CheckpointMark, Serializable {
    @Override
    public void finalizeCheckpoint() {
      // Nobody waits for it.
    }
  }

  @Override
  public List<RepeatingSource> split(int parts, PipelineOptions options) {
    List<RepeatingSource> all = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      all.add(this);
    }
    return all;
  }

  @Override
  public UnboundedReader<Long> createReader(PipelineOptions options, @Nullable Mark mark) {
    return new Reader(mark == null ? 0 : Math.max(0, mark.next() - BACK));
  }

  @Override
  public Coder<Mark> getCheckpointMarkCoder() {
    return SerializableCoder.of(Mark.class);
  }

  @Override
  public Coder<Long> getOutputCoder() {
    return VarLongCoder.of();
  }

  @Override
  public boolean requiresDeduping() {
    return true;
  }

  private final class Reader extends UnboundedReader<Long> {
    private static final long PAUSE = 7;

    private long next;
    private long current;
    private boolean isRepeated;
    private long calls;

    Reader(long next) {
      this.next = next;
      current = next;
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      calls++;
      if (next >= end || calls % PAUSE == 0) {
        return false;
      }
      current = next;
      isRepeated = !isRepeated && current % 3 == 0;
      next += isRepeated ? 0 : 1;
      return true;
    }

    @Override
    public Long getCurrent() {
      return current;
    }

    @Override
    public byte[] getCurrentRecordId() {
      return ByteBuffer.allocate(Long.BYTES).putLong(current).array();
    }

    @Override
    public Instant getCurrentTimestamp() {
      return Instant.ofEpochMilli(current);
    }

    @Override
    public Instant getWatermark() {
      return next >= end ? BoundedWindow.TIMESTAMP_MAX_VALUE : BoundedWindow.TIMESTAMP_MIN_VALUE;
    }

    @Override
    public CheckpointMark getCheckpointMark() {
      return new Mark(next);
    }

    @Override
    public UnboundedSource<Long, ?> getCurrentSource() {
      return RepeatingSource.this;
    }

    @Override
    public void close() {
      // It holds nothing.
    }
  }
}
