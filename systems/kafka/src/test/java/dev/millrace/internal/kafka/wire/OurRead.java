package dev.millrace.internal.kafka.wire;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// What a [BatchDecoder] makes of an answer, in the words of [OfficialRead].
final class OurRead implements BatchDecoder.Reading {
  private static final Split SPLIT = new Split("fuzzed", 3);
  private static final byte[] DETAIL = {};
  private static final int MOST_UNPACKED_BYTES = 64 << 20;

  final List<String> records = new ArrayList<>();
  final List<Integer> epochs = new ArrayList<>();

  /// Null if it came to the end.
  CorruptBatchException failure;

  long next;

  /// The memory of the batches that were handed out.
  long memoryBytes;

  OurRead(FetchedBytes answer, BatchPool pool) {
    this(answer, pool, MOST_UNPACKED_BYTES);
  }

  OurRead(FetchedBytes answer, BatchPool pool, int mostUnpackedBytes) {
    next = answer.next();
    // Not at the beginning of its array, as in an answer with other partitions.
    ByteBuffer bytes = ByteBuffer.allocate(answer.bytes().length + 10).position(7);
    bytes.put(answer.bytes()).flip().position(7);
    try (BatchDecoder decoder = new BatchDecoder(pool, mostUnpackedBytes)) {
      decoder.begin();
      decoder.decode(bytes, answer.aborted(), this);
    } catch (CorruptBatchException e) {
      failure = e;
    }
  }

  @Override
  public Split split() {
    return SPLIT;
  }

  @Override
  public long next() {
    return next;
  }

  @Override
  public byte[] detail(int leaderEpoch) {
    return DETAIL;
  }

  @Override
  public void take(RecordBatch batch, int leaderEpoch) {
    Bytes view = new Bytes();
    for (int i = 0; i < batch.size(); i++) {
      StringBuilder headers = new StringBuilder();
      Headers.visit(
          batch.headers(i, view), (key, value) -> headers.append(OfficialRead.text(key, value)));
      ByteBuffer key = batch.hasKey(i) ? buffer(batch.key(i, view)) : null;
      ByteBuffer value = batch.hasValue(i) ? buffer(batch.value(i, view)) : null;
      records.add(
          OfficialRead.text(batch.offset(i), batch.timestamp(i), key, value, headers.toString()));
      epochs.add(leaderEpoch);
    }
    if (batch.nextOffset() <= next) {
      throw new AssertionError("It does not move on from " + next + ": " + batch);
    }
    next = batch.nextOffset();
    memoryBytes += batch.memoryBytes();
    batch.release();
  }

  private static ByteBuffer buffer(Bytes view) {
    return ByteBuffer.wrap(view.array(), view.offset(), view.length());
  }
}
