package dev.millrace.sketches;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import org.apache.datasketches.common.SketchesArgumentException;
import org.apache.datasketches.hll.HllUnion;
import org.apache.datasketches.hll.TgtHllType;
import org.jspecify.annotations.Nullable;

/// An approximate count of distinct values: a HyperLogLog sketch with 4096 registers. Not
/// thread-safe.
///
/// The standard error is 1.6 % of the count. Up to about 380 distinct values, the count is hardly
/// ever wrong, and takes 4 bytes for each; beyond, it takes 4 kilobytes.
///
/// The estimate depends only on the registers. The library has another that is a little closer, but
/// depends on the order of the values and on whether sketches were merged; with it, a result that
/// is computed again after a crash would differ.
public final class DistinctCount {
  private static final int LOG_REGISTERS = 12;

  /// Where the first byte says how many words come before the values.
  private static final int HEAD_BITS = 0x3F;

  /// Which byte says what the values are kept in.
  private static final int KIND_AT = 7;

  private static final int KIND_BITS = 3;

  /// Of the kinds, that of many values; less than that are lists and tables of few.
  private static final int REGISTERS = 2;

  /// 95 % of a normal distribution.
  private static final int DEVIATIONS = 2;

  private final HllUnion values;

  DistinctCount() {
    this(new HllUnion(LOG_REGISTERS));
  }

  private DistinctCount(HllUnion values) {
    this.values = values;
  }

  /// Returns the serde of distinct counts, in the library's format.
  public static Serde<DistinctCount> serde() {
    return new Format();
  }

  /// Returns the estimated number of distinct values.
  public long estimate() {
    return Math.round(values.getCompositeEstimate());
  }

  /// Returns a lower bound: in one of forty cases, the number of distinct values is less.
  public long lower() {
    return (long) Math.floor(values.getCompositeEstimate() / (1 + error(false)));
  }

  /// Returns an upper bound: in one of forty cases, the number of distinct values is more.
  public long upper() {
    return (long) Math.ceil(values.getCompositeEstimate() / (1 - error(true)));
  }

  private static double error(boolean upper) {
    return HllUnion.getRelErr(upper, true, LOG_REGISTERS, DEVIATIONS);
  }

  <T> DistinctCount add(T value, Serde<T> serde) {
    BytesWriter writer = new BytesWriter(64);
    // No bytes would count as no value.
    writer.writeByte(0);
    serde.write(value, writer);
    values.update(ByteBuffer.wrap(writer.array(), 0, writer.length()));
    return this;
  }

  /// Adds the values of another one, which is not changed.
  DistinctCount merge(DistinctCount other) {
    values.update(other.values.getResult(TgtHllType.HLL_8));
    return this;
  }

  /// Returns whether the same is kept of both.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DistinctCount that && Arrays.equals(bytes(), that.bytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes());
  }

  @Override
  public String toString() {
    return "about " + estimate();
  }

  /// Returns the library's encoding, but with few values in the order of their hashes: their order
  /// in its table changes when it is written and read again.
  private byte[] bytes() {
    byte[] written = values.toCompactByteArray();
    if ((written[KIND_AT] & KIND_BITS) < REGISTERS) {
      int head = (written[0] & HEAD_BITS) * Integer.BYTES;
      IntBuffer hashes =
          ByteBuffer.wrap(written, head, written.length - head)
              .order(ByteOrder.LITTLE_ENDIAN)
              .asIntBuffer();
      int[] sorted = new int[hashes.remaining()];
      hashes.get(sorted);
      Arrays.sort(sorted);
      hashes.put(0, sorted);
    }
    return written;
  }

  private static final class Format implements Serde<DistinctCount> {
    private static final int LEAST_BYTES = 8;
    private static final int LOG_REGISTERS_AT = 3;

    /// Of the hash table in which few values are kept.
    private static final int LOG_TABLE_AT = 4;

    /// A register takes a byte, as [HllUnion] keeps them.
    private static final int BYTE_REGISTERS = 2 << 2;

    @Override
    public String id() {
      return "sketch:distinct-count";
    }

    @Override
    public void write(DistinctCount value, BytesWriter out) {
      out.write(value.bytes());
    }

    @Override
    public DistinctCount read(Bytes in) {
      requireShape(in);
      try {
        return new DistinctCount(
            HllUnion.heapify(MemorySegment.ofArray(in.array()).asSlice(in.offset(), in.length())));
      } catch (SketchesArgumentException | IndexOutOfBoundsException malformed) {
        throw new SerdeException(
            "the %d bytes of a distinct count are malformed".formatted(in.length()), malformed);
      }
    }

    /// Checks the shape of bytes before memory is allocated for it.
    private static void requireShape(Bytes in) {
      boolean fits =
          in.length() >= LEAST_BYTES
              && in.get(LOG_REGISTERS_AT) == LOG_REGISTERS
              && in.get(LOG_TABLE_AT) >= 0
              && in.get(LOG_TABLE_AT) <= LOG_REGISTERS
              && (in.get(KIND_AT) & BYTE_REGISTERS) == BYTE_REGISTERS;
      if (!fits) {
        throw new SerdeException(
            "expected a distinct count with 2^%d registers, found %d other bytes"
                .formatted(LOG_REGISTERS, in.length()));
      }
    }
  }
}
