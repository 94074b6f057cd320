package dev.millrace.sketches;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Aggregate;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DistinctCountTest {
  private static final Aggregate<DistinctCount, String> DISTINCT = Sketches.distinct(text -> text);
  private static final int[] SIZES = {1, 2, 8, 9, 100, 300, 370, 500, 1000, 4000, 30_000};

  /// Texts of which some occur several times, in any order.
  private static List<String> texts(Random random, int different) {
    List<String> texts = new ArrayList<>();
    long first = random.nextLong();
    for (int i = 0; i < different; i++) {
      for (int times = 0; times <= random.nextInt(2); times++) {
        texts.add(Long.toHexString(first + i));
      }
    }
    Collections.shuffle(texts, random);
    return texts;
  }

  private static DistinctCount of(List<String> texts) {
    return Sketching.fold(DISTINCT, texts);
  }

  @Test
  void theErrorIsWhatIsSaid() {
    int cases = 0;
    int outside = 0;
    double squares = 0;
    int large = 0;
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      for (int size : SIZES) {
        List<String> texts = texts(random, size);
        int exact = new HashSet<>(texts).size();
        DistinctCount count = of(texts);
        double error = (double) count.estimate() / exact - 1;
        assertTrue(Math.abs(error) < 0.07, exact + " estimated as " + count);
        cases++;
        outside += count.lower() > exact || count.upper() < exact ? 1 : 0;
        if (exact >= 500) {
          squares += error * error;
          large++;
        } else {
          assertTrue(Math.abs(count.estimate() - exact) <= 1, exact + " estimated as " + count);
        }
      }
    }
    double standardError = Math.sqrt(squares / large);
    assertTrue(standardError > 0.008 && standardError < 0.0185, "standard error " + standardError);
    assertTrue(outside < cases / 10, outside + " of " + cases);
  }

  @Test
  void neitherOrderNorJoiningNorWritingMatters() {
    Serde<DistinctCount> serde = DistinctCount.serde();
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      List<String> texts = texts(random, SIZES[random.nextInt(SIZES.length - 1)]);
      DistinctCount straight = of(texts);
      List<DistinctCount> parts = new ArrayList<>();
      Collections.shuffle(texts, random);
      for (List<String> part : Sketching.parts(texts, random)) {
        parts.add(Sketching.foldWriting(DISTINCT, part, serde, random));
      }
      DistinctCount joined = Sketching.join(DISTINCT, parts, serde, random);
      assertEquals(straight.estimate(), joined.estimate());
      assertEquals(straight.lower(), joined.lower());
      assertEquals(straight.upper(), joined.upper());
    }
  }

  @Test
  void whenItIsWrittenDoesNotMatter() {
    for (int size : SIZES) {
      for (int seed = 0; seed < 10; seed++) {
        Random random = new Random(seed);
        List<String> texts = texts(random, size);
        Serde<DistinctCount> serde = DistinctCount.serde();
        assertArrayEquals(
            Sketching.bytes(of(texts), serde),
            Sketching.bytes(Sketching.foldWriting(DISTINCT, texts, serde, random), serde),
            "seed " + seed + " size " + size);
      }
    }
  }

  @Test
  void joiningLeavesTheOtherAsItIs() {
    Random random = new Random(3);
    for (int one : SIZES) {
      for (int other : List.of(3, 300, 3000)) {
        DistinctCount joined = of(texts(random, one));
        DistinctCount left = of(texts(random, other));
        byte[] before = Sketching.bytes(left, DistinctCount.serde());
        joined.merge(left);
        joined.add("more", Serdes.string());
        assertArrayEquals(before, Sketching.bytes(left, DistinctCount.serde()));
      }
    }
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    for (int size : SIZES) {
      DistinctCount count = of(texts(new Random(size), size));
      DistinctCount read = Sketching.copy(count, DistinctCount.serde());
      assertEquals(count.estimate(), read.estimate());
      assertTrue(Sketching.bytes(count, DistinctCount.serde()).length < 4200);
    }
    assertEquals(0, Sketching.copy(new DistinctCount(), DistinctCount.serde()).estimate());
  }

  @Test
  void whatEarlierVersionsWroteIsRead() throws IOException {
    DistinctCount count = new DistinctCount();
    for (int i = 1; i <= 1000; i++) {
      count.add("user" + i, Serdes.string());
    }
    byte[] written = Sketching.golden("distinct-count-1.bin");
    assertEquals(count, DistinctCount.serde().read(Bytes.of(written)));
    assertEquals(1005, DistinctCount.serde().read(Bytes.of(written)).estimate());
    assertEquals(
        "0201070c0308020810bebd09d8c5240a",
        HexFormat.of().formatHex(Sketching.bytes(of(List.of("a", "b")), DistinctCount.serde())));
  }

  @Test
  void bytesOfOthersAreRefused() {
    Sketching.assertHarmless(of(texts(new Random(1), 5)), DistinctCount.serde());
    Sketching.assertHarmless(of(texts(new Random(2), 200)), DistinctCount.serde());
    Sketching.assertHarmless(of(texts(new Random(3), 5000)), DistinctCount.serde());
    assertThrows(
        SerdeException.class, () -> DistinctCount.serde().read(Bytes.ofUtf8("something else")));
  }

  @Test
  void anEmptyTextIsAValueAndOtherTypesAreToldApartByTheirBytes() {
    assertEquals(2, of(List.of("", "a", "", "a")).estimate());
    Aggregate<DistinctCount, Long> longs = Sketches.distinct(number -> number, Serdes.longs());
    assertEquals(3, Sketching.fold(longs, List.of(1L, 2L, 3L, 2L)).estimate());
    assertThrows(
        IllegalArgumentException.class,
        () -> Sketches.distinct((Long number) -> number, new Sketching.NotCanonical()));
  }

  @Test
  void equalMeansThatTheSameIsKept() {
    assertEquals(of(List.of("a", "b")), of(List.of("a", "b", "a")));
    assertEquals(of(List.of("a")).hashCode(), of(List.of("a", "a")).hashCode());
    assertTrue(!of(List.of("a")).equals(of(List.of("b"))));
    assertEquals("about 2", of(List.of("a", "b")).toString());
  }
}
