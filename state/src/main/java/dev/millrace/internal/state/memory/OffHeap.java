package dev.millrace.internal.state.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/// Allocates pieces of memory outside the heap by size, invisible to the garbage collector.
///
/// An address is a long, the number of the segment above and the offset in it below. Sizes are
/// rounded up by an eighth at most, or to 16 bytes; released pieces of one rounded size form a
/// list, in which the first bytes of each are the address of the next. [#close] returns all memory
/// to the system.
final class OffHeap implements AutoCloseable {
  static final long NOWHERE = -1;

  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final int LEAST_SEGMENT = 32 << 10;
  private static final int DOUBLINGS = 7;
  private static final int LEAST_PIECE = 16;
  private static final int STEPS = 8;

  private final Arena arena = Arena.ofShared();
  private final long[] waiting = new long[32 * STEPS];
  private MemorySegment[] segments = new MemorySegment[4];
  private int count;
  private int current = -1;
  private long filled;
  private final AtomicLong total;
  private long taken;

  /// @param total what all of them have taken from the system
  OffHeap(AtomicLong total) {
    this.total = total;
    Arrays.fill(waiting, NOWHERE);
  }

  /// Allocates a piece of at least this many bytes.
  long allocate(int bytes) {
    int sizeClass = sizeClass(bytes);
    long free = waiting[sizeClass];
    if (free != NOWHERE) {
      waiting[sizeClass] = segment(free).get(LONG, offset(free));
      return free;
    }
    long size = size(sizeClass);
    if (current < 0 || size > segments[current].byteSize() - filled) {
      long usual = (long) LEAST_SEGMENT << Math.min(count, DOUBLINGS);
      if (size > usual / 4) {
        return (long) add(size) << 32;
      }
      current = add(usual);
      filled = 0;
    }
    long address = (long) current << 32 | filled;
    filled += size;
    return address;
  }

  /// Releases a piece.
  ///
  /// @param bytes as it was asked for
  void free(long address, int bytes) {
    int sizeClass = sizeClass(bytes);
    segment(address).set(LONG, offset(address), waiting[sizeClass]);
    waiting[sizeClass] = address;
  }

  MemorySegment segment(long address) {
    return segments[(int) (address >>> 32)];
  }

  static long offset(long address) {
    return address & 0xFFFF_FFFFL;
  }

  @Override
  public void close() {
    arena.close();
    total.addAndGet(-taken);
    taken = 0;
  }

  private int add(long size) {
    if (count == segments.length) {
      MemorySegment[] more = new MemorySegment[count * 2];
      System.arraycopy(segments, 0, more, 0, count);
      segments = more;
    }
    segments[count] = arena.allocate(size, LEAST_PIECE);
    taken += size;
    total.addAndGet(size);
    return count++;
  }

  /// Returns the class of the least size that is enough; sizes double in so many steps.
  static int sizeClass(int bytes) {
    int units = Math.max(1, (bytes + LEAST_PIECE - 1) / LEAST_PIECE);
    if (units <= STEPS) {
      return units - 1;
    }
    int doublings = 31 - Integer.numberOfLeadingZeros(units - 1) - 3;
    int step = (units - 1 >>> doublings) + 1 - STEPS;
    return (doublings + 1) * STEPS + step - 1;
  }

  static long size(int sizeClass) {
    int doublings = sizeClass / STEPS - 1;
    int step = sizeClass % STEPS + 1;
    return doublings < 0
        ? (long) step * LEAST_PIECE
        : (long) (STEPS + step) * LEAST_PIECE << doublings;
  }
}
