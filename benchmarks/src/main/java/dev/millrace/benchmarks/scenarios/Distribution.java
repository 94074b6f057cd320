package dev.millrace.benchmarks.scenarios;

import java.util.Locale;
import java.util.function.LongUnaryOperator;

/// How often keys occur.
public enum Distribution {
  /// All alike.
  UNIFORM,
  /// A few very often: Zipf's law with exponent 0.99.
  ZIPF;

  private static final double EXPONENT = 0.99;

  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The one with an id.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static Distribution of(String id) {
    return switch (id) {
      case "uniform" -> UNIFORM;
      case "zipf" -> ZIPF;
      default ->
          throw new IllegalArgumentException(
              "There is no distribution '%s'; there are uniform and zipf.".formatted(id));
    };
  }

  /// The key of the record with a number, from 0 to below `keys`. The same every time.
  public LongUnaryOperator keyOf(long keys) {
    return switch (this) {
      case UNIFORM -> number -> Math.unsignedMultiplyHigh(mixed(number), keys);
      case ZIPF -> zipf(keys);
    };
  }

  /// The quick way of J. Gray et al., Quickly generating billion-record synthetic databases (1994),
  /// which is also that of YCSB.
  private static LongUnaryOperator zipf(long keys) {
    double zeta = 0;
    for (long rank = 1; rank <= keys; rank++) {
      zeta += Math.pow((double) rank, -EXPONENT);
    }
    double all = zeta;
    double two = 1 + Math.pow(2, -EXPONENT);
    double alpha = 1 / (1 - EXPONENT);
    double eta = (1 - Math.pow(2.0 / keys, 1 - EXPONENT)) / (1 - two / all);
    return number -> {
      double share = (mixed(number) >>> 11) * 0x1.0p-53;
      double sum = share * all;
      if (sum < 1) {
        return 0;
      }
      if (sum < two) {
        return Math.min(1, keys - 1);
      }
      return Math.min(keys - 1, (long) (keys * Math.pow(eta * share - eta + 1, alpha)));
    };
  }

  /// The output of SplitMix64 for a state: numbers in no order.
  static long mixed(long number) {
    long z = (number + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
