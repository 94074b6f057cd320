package dev.millrace.internal.kafka.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.kafka.common.memory.MemoryPool;

/// Memory for answers of brokers, which is reused once an answer was processed. New memory for each
/// answer would have to be zeroed, and collected as garbage.
///
/// Small answers get new memory. Memory that is not released, because its connection was lost, is
/// garbage collected. Used by one thread.
final class AnswerMemory implements MemoryPool {
  /// Answers below this are not worth it.
  private static final int LEAST = 64 << 10;

  /// Sizes are rounded up to multiples of this, so that one answer fits where another lay.
  private static final int STEP = 256 << 10;

  /// How many are kept while nobody uses them: one broker's answer comes while another's is taken.
  private static final int KEPT = 4;

  /// How much larger than the answer memory may be.
  private static final int MOST_TIMES = 8;

  private final long mostBytes;
  private final ArrayDeque<byte[]> free = new ArrayDeque<>();
  private long freeBytes;

  /// @param mostBytes that may be kept while nobody uses them
  AnswerMemory(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Override
  public ByteBuffer tryAllocate(int size) {
    if (size < LEAST) {
      return ByteBuffer.allocate(size);
    }
    for (Iterator<byte[]> each = free.iterator(); each.hasNext(); ) {
      byte[] array = each.next();
      if (array.length >= size && array.length / MOST_TIMES <= size) {
        each.remove();
        freeBytes -= array.length;
        return ByteBuffer.wrap(array, 0, size);
      }
    }
    long rounded = (size + (long) STEP - 1) / STEP * STEP;
    return ByteBuffer.wrap(new byte[(int) Math.min(rounded, Integer.MAX_VALUE - 8)], 0, size);
  }

  /// Releases the memory of an answer that is not read any more.
  void release(byte[] array) {
    if (array.length < LEAST || array.length % STEP != 0) {
      return;
    }
    assert overwritten(array);
    while (!free.isEmpty() && (free.size() >= KEPT || freeBytes + array.length > mostBytes)) {
      // The oldest: answers may have become larger, or smaller, since.
      freeBytes -= free.removeFirst().length;
    }
    if (array.length <= mostBytes) {
      free.addLast(array);
      freeBytes += array.length;
    }
  }

  /// Returns the unused memory.
  long keptBytes() {
    return freeBytes;
  }

  /// So that a test sees who reads it nevertheless.
  private static boolean overwritten(byte[] array) {
    Arrays.fill(array, (byte) 0xDB);
    return true;
  }

  /// The answer did not come to its end: a connection was lost, which is rare.
  @Override
  public void release(ByteBuffer previouslyAllocated) {}

  @Override
  public long size() {
    return Long.MAX_VALUE;
  }

  @Override
  public long availableMemory() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean isOutOfMemory() {
    return false;
  }
}
