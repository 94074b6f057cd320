package dev.millrace.sketches;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Aggregate;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PercentilesTest {
  private static final Aggregate<Percentiles, Double> PERCENTILES = Sketches.percentiles(n -> n);
  private static final double[] SHARES = {
    0, 0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 1
  };
  private static final int[] SIZES = {257, 300, 1000, 5000, 20_000};

  /// Distributions that differ in what is hard about them.
  private enum Drawn {
    EVEN,
    NORMAL,
    LONG_TAIL,
    VERY_LONG_TAIL,
    FEW_DIFFERENT,
    ALL_THE_SAME,
    RISING,
    FALLING,
    TWO_HEAPS;

    double next(Random random, int i) {
      return switch (this) {
        case EVEN -> random.nextDouble();
        case NORMAL -> random.nextGaussian();
        case LONG_TAIL -> Math.exp(2 * random.nextGaussian());
        case VERY_LONG_TAIL -> Math.pow(1 - random.nextDouble(), -2);
        case FEW_DIFFERENT -> random.nextInt(7);
        case ALL_THE_SAME -> 42;
        case RISING -> i;
        case FALLING -> -i;
        case TWO_HEAPS -> random.nextGaussian() + (random.nextInt(10) == 0 ? 1000 : 0);
      };
    }

    List<Double> numbers(Random random, int size) {
      List<Double> numbers = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        numbers.add(digits(next(random, i)));
      }
      return numbers;
    }
  }

  private static double[] sorted(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  /// Eleven of them, as are kept.
  private static double digits(double number) {
    return new BigDecimal(number).round(new MathContext(11)).doubleValue();
  }

  /// How far a number's rank is from a share: nothing if it lies among equal ones there.
  private static double rankError(double[] sorted, double number, double share) {
    int below = 0;
    int upTo = 0;
    for (double each : sorted) {
      below += each < number ? 1 : 0;
      upTo += each <= number ? 1 : 0;
    }
    double low = (double) below / sorted.length;
    double high = (double) upTo / sorted.length;
    return Math.max(0, Math.max(low - share, share - high));
  }

  private static void assertNear(List<Double> numbers, Percentiles found, Object what) {
    double[] sorted = sorted(numbers);
    assertEquals(sorted.length, found.count());
    assertEquals(sorted[0], found.least());
    assertEquals(sorted[sorted.length - 1], found.largest());
    double last = found.least();
    for (double share : SHARES) {
      assertTrue(found.quantile(share) >= last, what + " falls at " + share);
      last = found.quantile(share);
      double atMost = 0.0002 + 0.0095 * Math.sqrt(4 * share * (1 - share)) + 1.0 / sorted.length;
      double error = rankError(sorted, found.quantile(share), share);
      assertTrue(error <= atMost, what + " " + sorted.length + ": " + error + " at " + share);
    }
  }

  @Test
  void fewNumbersAreExact() {
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      for (Drawn drawn : Drawn.values()) {
        List<Double> numbers = drawn.numbers(random, 1 + random.nextInt(256));
        double[] sorted = sorted(numbers);
        Percentiles found =
            Sketching.foldWriting(PERCENTILES, numbers, Percentiles.serde(), random);
        for (double share : SHARES) {
          // The least number that so many do not exceed.
          int at = 0;
          while ((at + 1.0) / sorted.length < share) {
            at++;
          }
          assertEquals(sorted[at], found.quantile(share), drawn + " at " + share);
        }
        double some = sorted[random.nextInt(sorted.length)];
        double below = 0;
        for (double each : sorted) {
          below += each < some ? 1 : each == some ? 0.5 : 0;
        }
        assertEquals(below / sorted.length, found.share(some));
        assertEquals(sorted.length, found.count());
      }
    }
  }

  @Test
  void theErrorIsWhatIsSaid() {
    for (int seed = 0; seed < 3; seed++) {
      Random random = new Random(seed);
      for (Drawn drawn : Drawn.values()) {
        for (int size : SIZES) {
          List<Double> numbers = drawn.numbers(random, size);
          Percentiles found = Sketching.fold(PERCENTILES, numbers);
          assertNear(numbers, found, drawn);
          double[] sorted = sorted(numbers);
          double some = numbers.get(random.nextInt(size));
          assertTrue(rankError(sorted, some, found.share(some)) < 0.008, drawn + " at " + some);
        }
      }
    }
  }

  @Test
  void joinedInAnyOrderItIsNoWorse() {
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      for (Drawn drawn : Drawn.values()) {
        List<Double> numbers = drawn.numbers(random, 1 + random.nextInt(6000));
        List<Percentiles> parts = new ArrayList<>();
        for (List<Double> part : Sketching.parts(numbers, random)) {
          parts.add(Sketching.fold(PERCENTILES, part));
        }
        assertNear(
            numbers,
            Sketching.join(PERCENTILES, parts, Percentiles.serde(), random),
            drawn + " joined");
      }
    }
  }

  @Test
  void manySlicesAreJoined() {
    Random random = new Random(7);
    List<Double> numbers = new ArrayList<>();
    Percentiles joined = new Percentiles();
    List<Percentiles> slices = new ArrayList<>();
    for (int slice = 0; slice < 100; slice++) {
      List<Double> some = Drawn.LONG_TAIL.numbers(random, 40 + random.nextInt(400));
      numbers.addAll(some);
      joined = joined.merge(Sketching.fold(PERCENTILES, some));
      slices.add(Sketching.fold(PERCENTILES, some));
    }
    assertNear(numbers, joined, "slices");
    assertEquals(joined, Sketching.fold(Sketches.percentilesOfAll(slice -> slice), slices));
  }

  @Test
  void whenItIsWrittenOrLookedAtDoesNotMatter() {
    Serde<Percentiles> serde = Percentiles.serde();
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      List<Double> numbers = Drawn.LONG_TAIL.numbers(random, 1 + random.nextInt(3000));
      Percentiles straight = Sketching.fold(PERCENTILES, numbers);
      Percentiles written = Sketching.foldWriting(PERCENTILES, numbers, serde, random);
      Percentiles watched = new Percentiles();
      for (double number : numbers) {
        watched.add(number);
        if (random.nextInt(50) == 0) {
          double median = watched.quantile(0.5);
          assertEquals(median, Sketching.copy(watched, serde).quantile(0.5));
        }
      }
      byte[] bytes = Sketching.bytes(straight, serde);
      assertArrayEquals(bytes, Sketching.bytes(written, serde));
      assertArrayEquals(bytes, Sketching.bytes(watched, serde));
      assertEquals(straight, written);
      assertEquals(straight.hashCode(), written.hashCode());
      for (double share : SHARES) {
        assertEquals(straight.quantile(share), written.quantile(share));
      }
      assertTrue(bytes.length < 6500, "bytes: " + bytes.length);
    }
  }

  @Test
  void joiningTwiceGivesTheSameAndLeavesTheOtherAsItIs() {
    Serde<Percentiles> serde = Percentiles.serde();
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      for (Drawn drawn : Drawn.values()) {
        List<Double> numbers = drawn.numbers(random, random.nextInt(3000));
        Percentiles one = Sketching.fold(PERCENTILES, numbers);
        Percentiles other =
            Sketching.fold(PERCENTILES, drawn.numbers(random, random.nextInt(3000)));
        assertEquals(one, Sketching.fold(PERCENTILES, numbers), drawn + " folded twice");
        Percentiles before = Sketching.copy(other, serde);
        Percentiles again = Sketching.copy(one, serde);
        Percentiles joined = one.merge(other);
        assertEquals(before, other);
        assertEquals(joined, again.merge(before), drawn + " joined twice");
      }
    }
  }

  @Test
  void whatIsNoNumberIsRefusedAndChangesNothing() {
    Percentiles some = Sketching.fold(PERCENTILES, List.of(1.0, 2.0));
    for (double wrong : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1.0 / 0, 1e300}) {
      assertThrows(IllegalArgumentException.class, () -> some.add(wrong));
    }
    assertEquals(Sketching.fold(PERCENTILES, List.of(1.0, 2.0)), some);
    assertThrows(IllegalArgumentException.class, () -> some.quantile(1.1));
    assertThrows(IllegalArgumentException.class, () -> some.quantile(Double.NaN));
    assertThrows(IllegalStateException.class, () -> new Percentiles().quantile(0.5));
    assertThrows(IllegalStateException.class, () -> new Percentiles().share(0.5));
    assertEquals("2 numbers from 1.0 to 2.0, half of them up to 1.0", some.toString());
    assertEquals("no numbers", new Percentiles().toString());
  }

  @Test
  void whatEarlierVersionsWroteIsRead() throws IOException {
    Percentiles squares = new Percentiles();
    for (int i = 1; i <= 1000; i++) {
      squares.add(i * i);
    }
    Percentiles read = Percentiles.serde().read(Bytes.of(Sketching.golden("percentiles-1.bin")));
    assertEquals(squares, read);
    assertEquals(250_524.5, read.quantile(0.5));
    assertEquals(
        "02" + "3ff0000000000000" + "c000000000000000",
        HexFormat.of()
            .formatHex(
                Sketching.bytes(
                    Sketching.fold(PERCENTILES, List.of(1.0, -2.0)), Percentiles.serde())));
  }

  @Test
  void bytesOfOthersAreRefused() {
    Random random = new Random(1);
    for (int size : new int[] {3, 256, 300, 5000}) {
      Sketching.assertHarmless(
          Sketching.fold(PERCENTILES, Drawn.EVEN.numbers(random, size)), Percentiles.serde());
    }
  }
}
