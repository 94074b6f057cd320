package dev.millrace.benchmarks.micro;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.kafka.wire.BatchArrays;
import dev.millrace.internal.kafka.wire.BatchDecoder;
import dev.millrace.internal.kafka.wire.BatchEncoder;
import dev.millrace.internal.kafka.wire.EncodedBatch;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// From Kafka's format to a batch of ours and back, without a broker.
@State(Scope.Thread)
public class WireBenchmark {
  private static final int BATCH_BYTES = 512 << 10;
  private static final int MOST_UNPACKED_BYTES = 16 << 20;

  private final BatchArrays arrays = new BatchArrays(BATCH_BYTES);
  private final BatchEncoder encoder =
      new BatchEncoder(Compression.NONE, BATCH_BYTES, arrays, this::count);
  private final BatchDecoder decoder = new BatchDecoder(new BatchPool(), MOST_UNPACKED_BYTES);
  private final Bytes view = new Bytes();
  private final Summing summing = new Summing();
  private RecordBatch batch = RecordBatch.create();
  private ByteBuffer answer = ByteBuffer.allocate(0);
  private long encodedBytes;

  @Setup
  public void setUp() {
    batch = Records.batch("in", Records.SLICE, Records.SLICE, Records.VALUE_BYTES);
    BatchEncoder once =
        new BatchEncoder(
            Compression.NONE,
            BATCH_BYTES,
            arrays,
            encoded -> {
              ByteBuffer stamped = encoded.stamp(1, 0, 0, true);
              answer = ByteBuffer.allocate(stamped.remaining()).put(stamped).flip();
              encoded.release();
            });
    once.add(batch, view);
    once.finish();
  }

  /// What was fetched becomes a batch of ours, its checksum verified.
  ///
  /// @return a sum of what stands in the values
  @Benchmark
  @What("parse a fetched record of 100 bytes")
  @OperationsPerInvocation(Records.SLICE)
  public long parse() {
    summing.sum = 0;
    decoder.decode(answer.duplicate(), List.of(), summing);
    return summing.sum;
  }

  /// A batch of ours becomes what is sent, with its checksum.
  ///
  /// @return its length in bytes
  @Benchmark
  @What("encode a record of 100 bytes for its produce request")
  @OperationsPerInvocation(Records.SLICE)
  public long encode() {
    encodedBytes = 0;
    encoder.add(batch, view);
    encoder.finish();
    return encodedBytes;
  }

  private void count(EncodedBatch encoded) {
    encodedBytes += encoded.stamp(1, 0, 0, true).remaining();
    encoded.release();
  }

  /// Looks at the first and the last value of what was parsed.
  private static final class Summing implements BatchDecoder.Reading {
    private static final Split SPLIT = new Split("in", 0);
    private static final byte[] DETAIL = {};

    private final Bytes view = new Bytes();
    private long sum;

    @Override
    public Split split() {
      return SPLIT;
    }

    @Override
    public long next() {
      return 0;
    }

    @Override
    public byte[] detail(int leaderEpoch) {
      return DETAIL;
    }

    @Override
    public void take(RecordBatch parsed, int leaderEpoch) {
      sum += number(parsed, 0) + number(parsed, parsed.size() - 1);
      parsed.release();
    }

    private long number(RecordBatch parsed, int index) {
      parsed.value(index, view);
      return Numbers.LONGS.readLong(view.set(view.array(), view.offset(), Long.BYTES));
    }
  }
}
