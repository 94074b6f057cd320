package dev.millrace.sketches;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesReader;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.datasketches.tdigest.TDigestDouble;
import org.jspecify.annotations.Nullable;

/// An approximate distribution of numbers: a t-digest of compression 200. Not thread-safe.
///
/// Up to 256 numbers, all results are exact, and each number takes 8 bytes. Beyond, the true rank
/// of a returned quantile differs by less than 0.01 in the middle and less than 0.003 at 0.01 and
/// 0.99; the least and the largest number are exact. It takes at most about 7 kilobytes. These
/// errors were measured; a t-digest has no proven bound. Eleven digits of a number are kept.
///
/// **It is deterministic.** A result that is computed again must be the one that was emitted. Other
/// sketches of the library use random numbers. Its t-digest does not depend on the numbers alone
/// either, for two reasons, which this class removes:
///
/// - A digest in memory differs from the same digest after it was written and read. So numbers are
///   kept beside it until there are 256 of them, and are added to it all at once, however often it
///   is written in between.
/// - Its sort is random among equal means of different weights. So no two means are equal: the last
///   bits of a single number are always zero, and those of a mean of several numbers are its index.
public final class Percentiles {
  private static final short COMPRESSION = 200;
  private static final int WAITING = 256;
  private static final byte[] NONE = {};

  /// Sums of these, and of as many as there may be, are numbers.
  private static final double LARGEST = 1e290;

  private static final MathContext DIGITS = new MathContext(11);

  /// The library's bytes of a digest; none while all numbers wait.
  private byte[] digest = NONE;

  private double[] waiting = new double[8];
  private int count;

  /// Of all numbers, for answers; null if it was not asked for since the last number came.
  private @Nullable Distribution all;

  Percentiles() {}

  /// Returns the serde of percentiles.
  public static Serde<Percentiles> serde() {
    return new Format();
  }

  /// Returns the count of numbers.
  public long count() {
    return digest.length == 0 ? count : all().count();
  }

  /// Returns the least number.
  ///
  /// @throws IllegalStateException if there is none
  public double least() {
    return quantile(0);
  }

  /// Returns the largest number.
  ///
  /// @throws IllegalStateException if there is none
  public double largest() {
    return quantile(1);
  }

  /// Returns the number that a share of the numbers does not exceed.
  ///
  /// @param share from 0 to 1: 0.5 for the median, 0.99 for the 99th percentile
  /// @throws IllegalStateException if there are no numbers
  public double quantile(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("A share must be from 0 to 1, but is " + share + ".");
    }
    return readable(all().quantile(share));
  }

  /// Returns the share of the numbers below a number, counting half of those that equal it.
  ///
  /// @return from 0 to 1
  /// @throws IllegalStateException if there are no numbers
  public double share(double number) {
    return all().share(Distribution.withoutLastBits(number));
  }

  /// Eleven digits, so that 0.1 is 0.1 again.
  private static double readable(double number) {
    return new BigDecimal(number).round(DIGITS).doubleValue();
  }

  private Distribution all() {
    Distribution known = all;
    if (known == null) {
      known = digest.length == 0 ? exact() : Distribution.of(unpacked(0).toByteArray());
      all = known;
    }
    return known;
  }

  private Distribution exact() {
    if (count == 0) {
      throw new IllegalStateException("Percentiles need at least one number.");
    }
    double[] sorted = Arrays.copyOf(waiting, count);
    Arrays.sort(sorted);
    return Distribution.of(sorted);
  }

  Percentiles add(double number) {
    if (!(Math.abs(number) <= LARGEST)) {
      throw new IllegalArgumentException(
          "Percentiles accept numbers between -%s and %s; found %s."
              .formatted(LARGEST, LARGEST, number));
    }
    if (count == WAITING) {
      pack(unpacked(0));
    }
    if (count == waiting.length) {
      waiting = Arrays.copyOf(waiting, count * 2);
    }
    waiting[count++] = Distribution.withoutLastBits(number);
    all = null;
    return this;
  }

  /// Adds the numbers of another one, which is not changed.
  Percentiles merge(Percentiles other) {
    if (other.digest.length == 0 && count + other.count <= WAITING) {
      for (int i = 0; i < other.count; i++) {
        add(other.waiting[i]);
      }
      return this;
    }
    TDigestDouble joined = unpacked(0);
    joined.merge(other.unpacked(1));
    pack(joined);
    return this;
  }

  private void pack(TDigestDouble packed) {
    digest = packed.toByteArray();
    count = 0;
    all = null;
  }

  /// Returns a new digest with what is packed and what waits.
  ///
  /// @param part 0 or 1, of two that are joined
  private TDigestDouble unpacked(int part) {
    TDigestDouble unpacked =
        digest.length == 0
            ? new TDigestDouble(COMPRESSION)
            : TDigestDouble.heapify(MemorySegment.ofArray(Distribution.toldApart(digest, part)));
    for (int i = 0; i < count; i++) {
      unpacked.update(waiting[i]);
    }
    return unpacked;
  }

  /// Returns whether the same is kept of both.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Percentiles that
        && Arrays.equals(digest, that.digest)
        && Arrays.equals(waiting, 0, count, that.waiting, 0, that.count);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(digest) * 31 + Arrays.hashCode(Arrays.copyOf(waiting, count));
  }

  @Override
  public String toString() {
    return count() == 0
        ? "no numbers"
        : "%d numbers from %s to %s, half of them up to %s"
            .formatted(count(), least(), largest(), quantile(0.5));
  }

  /// How many numbers wait, these, and the digest.
  private static final class Format implements Serde<Percentiles> {
    private static final int MOST_CENTROIDS = 2 * COMPRESSION + 10;

    @Override
    public String id() {
      return "sketch:percentiles";
    }

    @Override
    public void write(Percentiles value, BytesWriter out) {
      out.writeVarInt(value.count);
      for (int i = 0; i < value.count; i++) {
        out.writeLong(Double.doubleToRawLongBits(value.waiting[i]));
      }
      out.write(value.digest);
    }

    @Override
    public Percentiles read(Bytes in) {
      BytesReader reader = new BytesReader(in);
      Percentiles read = new Percentiles();
      int count = reader.readVarInt();
      if (count < 0 || count > WAITING) {
        throw new SerdeException(
            "expected at most %d numbers that wait, found %d".formatted(WAITING, count));
      }
      read.waiting = new double[Math.max(count, read.waiting.length)];
      for (int i = 0; i < count; i++) {
        read.waiting[i] = Double.longBitsToDouble(reader.readLong());
      }
      read.count = count;
      read.digest = reader.readBytes(reader.remaining());
      if (read.digest.length > 0) {
        requireDigest(read.digest);
      }
      return read;
    }

    /// Checks a digest before memory is allocated for it. A digest is never written while few
    /// numbers are in it.
    private static void requireDigest(byte[] bytes) {
      ByteBuffer digest = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
      int centroidBytes = bytes.length - Distribution.HEAD_BYTES;
      boolean fits =
          centroidBytes > 0
              && digest.get(0) == 2
              && digest.get(1) == 1
              && digest.getShort(3) == COMPRESSION
              && centroidBytes % Distribution.CENTROID_BYTES == 0
              && centroidBytes / Distribution.CENTROID_BYTES <= MOST_CENTROIDS
              && digest.getLong(Distribution.CENTROIDS_AT)
                  == centroidBytes / Distribution.CENTROID_BYTES;
      if (!fits) {
        throw new SerdeException(
            "expected a t-digest of compression %d, found %d other bytes"
                .formatted(COMPRESSION, bytes.length));
      }
    }
  }
}
