package dev.millrace.beam.killed;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/// The numbers from 0 to before an end, each at its own millisecond, so many a second. It goes on
/// from its mark, and tells nothing else apart.
final class Numbers extends UnboundedSource<Long, Numbers.Mark> {
  private final long first;
  private final long apart;
  private final long end;
  private final long aSecond;
  private final boolean turnedRound;

  /// @param turnedRound whether the last part is the first one when it is split
  Numbers(long end, long aSecond, boolean turnedRound) {
    this(0, 1, end, aSecond, turnedRound);
  }

  private Numbers(long first, long apart, long end, long aSecond, boolean turnedRound) {
    this.turnedRound = turnedRound;
    this.first = first;
    this.apart = apart;
    this.end = end;
    this.aSecond = aSecond;
  }

  /// How many numbers of a part were read.
  record Mark(long read) implements CheckpointMark, Serializable {
    @Override
    public void finalizeCheckpoint() {
      // Nobody waits for it.
    }
  }

  @Override
  public List<Numbers> split(int parts, PipelineOptions options) {
    List<Numbers> all = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      all.add(new Numbers(part, parts, end, aSecond / parts, false));
    }
    return turnedRound ? all.reversed() : all;
  }

  @Override
  public UnboundedReader<Long> createReader(PipelineOptions options, @Nullable Mark mark) {
    return new Reader(mark == null ? first : first + mark.read() * apart);
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
    private final long begunMillis = System.currentTimeMillis();
    private long read;
    private long next;
    private long current = -1;

    Reader(long next) {
      this.next = next;
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      long allowed = (System.currentTimeMillis() - begunMillis) * aSecond / 1_000;
      if (next >= end || read >= allowed) {
        return false;
      }
      current = next;
      next += apart;
      read++;
      return true;
    }

    @Override
    public Long getCurrent() {
      if (current < 0) {
        throw new NoSuchElementException();
      }
      return current;
    }

    @Override
    public Instant getCurrentTimestamp() {
      return Instant.ofEpochMilli(getCurrent());
    }

    @Override
    public Instant getWatermark() {
      return next >= end ? BoundedWindow.TIMESTAMP_MAX_VALUE : Instant.ofEpochMilli(next);
    }

    @Override
    public CheckpointMark getCheckpointMark() {
      return new Mark((next - first) / apart);
    }

    @Override
    public UnboundedSource<Long, ?> getCurrentSource() {
      return Numbers.this;
    }

    @Override
    public void close() {
      // It holds nothing.
    }
  }
}
