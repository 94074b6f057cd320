package dev.millrace.sketches;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// An approximate distribution of numbers: the ranks of some of them. Between these, it is assumed
/// to be uniform.
///
/// Here and not in the library, whose version 9.0.0 interpolates towards the wrong side
/// ([apache/datasketches-java#755](https://github.com/apache/datasketches-java/pull/755)).
final class Distribution {
  /// Of the library's bytes: kind and compression, how many centroids, the least and the largest
  /// number; then the centroids, a mean and a weight each.
  static final int HEAD_BYTES = 32;

  static final int CENTROID_BYTES = 16;
  static final int CENTROIDS_AT = 8;

  /// Of a number: less than a part in 10^12.
  private static final long LAST_BITS = 0xFFF;

  private static final int FIRST_MEAN = 8;

  private final long count;

  /// Places from 0 to the count, with the numbers there; both rise.
  private final double[] places;

  private final double[] numbers;
  private int known;

  private Distribution(long count, int centroids) {
    this.count = count;
    places = new double[2 * centroids + 2];
    numbers = new double[2 * centroids + 2];
  }

  /// Creates a distribution from all numbers.
  ///
  /// @param sorted at least one
  static Distribution of(double[] sorted) {
    Distribution all = new Distribution(sorted.length, sorted.length);
    for (int i = 0; i < sorted.length; i++) {
      all.add(i, sorted[i]);
      all.add(i + 1, sorted[i]);
    }
    return all;
  }

  /// @param digest of several numbers, as the library writes it
  static Distribution of(byte[] digest) {
    ByteBuffer bytes = ByteBuffer.wrap(digest).order(ByteOrder.nativeOrder());
    int centroids = bytes.getInt(CENTROIDS_AT);
    long count = 0;
    for (int i = 0; i < centroids; i++) {
      count += bytes.getLong(HEAD_BYTES + i * CENTROID_BYTES + Double.BYTES);
    }
    Distribution read = new Distribution(count, centroids);
    read.add(0, bytes.getDouble(HEAD_BYTES - 2 * Double.BYTES));
    double before = 0;
    for (int i = 0; i < centroids; i++) {
      double mean = withoutLastBits(bytes.getDouble(HEAD_BYTES + i * CENTROID_BYTES));
      long weight = bytes.getLong(HEAD_BYTES + i * CENTROID_BYTES + Double.BYTES);
      if (weight == 1) {
        // A number itself.
        read.add(before, mean);
        read.add(before + 1, mean);
      } else {
        read.add(before + weight / 2.0, mean);
      }
      before += (double) weight;
    }
    read.add((double) count, bytes.getDouble(HEAD_BYTES - Double.BYTES));
    return read;
  }

  static double withoutLastBits(double number) {
    return Double.longBitsToDouble(Double.doubleToRawLongBits(number) & ~LAST_BITS);
  }

  /// Returns a copy of a digest in which the last bits of each mean of several numbers say which
  /// one it is; those of a single number are zero.
  ///
  /// @param part 0 or 1, of two that are joined
  static byte[] toldApart(byte[] digest, int part) {
    byte[] copy = digest.clone();
    ByteBuffer bytes = ByteBuffer.wrap(copy).order(ByteOrder.nativeOrder());
    int centroids = bytes.getInt(CENTROIDS_AT);
    for (int i = 0; i < centroids; i++) {
      int at = HEAD_BYTES + i * CENTROID_BYTES;
      if (bytes.getLong(at + Double.BYTES) > 1) {
        bytes.putLong(at, bytes.getLong(at) & ~LAST_BITS | FIRST_MEAN + 2L * i + part);
      }
    }
    return copy;
  }

  private void add(double place, double number) {
    places[known] = place;
    numbers[known] = number;
    known++;
  }

  long count() {
    return count;
  }

  /// Returns the number that a share of all does not exceed.
  double quantile(double share) {
    double place = share * count;
    int next = firstFrom(places, place);
    if (next == 0 || places[next] == place) {
      return numbers[next];
    }
    double way = (place - places[next - 1]) / (places[next] - places[next - 1]);
    return numbers[next - 1] + way * (numbers[next] - numbers[next - 1]);
  }

  /// Returns the share of all below a number, with half of those that equal it.
  double share(double number) {
    int next = firstFrom(numbers, number);
    if (next == known) {
      return 1;
    }
    if (numbers[next] == number) {
      int last = next;
      while (last + 1 < known && numbers[last + 1] == number) {
        last++;
      }
      return (places[next] + places[last]) / 2 / count;
    }
    if (next == 0) {
      return 0;
    }
    double way = (number - numbers[next - 1]) / (numbers[next] - numbers[next - 1]);
    return (places[next - 1] + way * (places[next] - places[next - 1])) / count;
  }

  /// Returns the first of some rising values that is not below one; [#known] if there is none.
  private int firstFrom(double[] rising, double value) {
    int found = Arrays.binarySearch(rising, 0, known, value);
    if (found < 0) {
      return -found - 1;
    }
    while (found > 0 && rising[found - 1] == value) {
      found--;
    }
    return found;
  }
}
