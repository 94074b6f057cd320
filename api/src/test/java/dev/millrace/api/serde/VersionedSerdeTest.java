package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VersionedSerdeTest {
  private record Total(long sum, long count) {
    static Total ofSum(long sum) {
      return new Total(sum, 1);
    }
  }

  private record Average(double value) {}

  private static final Serde<Long> FIRST = Serdes.longs();
  private static final Serde<Total> TOTALS = Serdes.record(Total.class);
  private static final VersionedSerde<Total> SECOND =
      Serdes.version(2, TOTALS).from(1, FIRST, Total::ofSum);
  private static final VersionedSerde<Average> THIRD =
      Serdes.version(3, Serdes.record(Average.class))
          .from(2, TOTALS, total -> new Average((double) total.sum / total.count))
          .from(1, FIRST, sum -> new Average(sum));

  @Test
  void valuesOfEachVersionAreRead() {
    assertEquals(new Total(7, 1), Samples.value(SECOND, Samples.bytes(FIRST, 7L)));
    byte[] second = Samples.bytes(SECOND, new Total(9, 4));
    assertEquals(new Total(9, 4), Samples.value(SECOND, second));
    assertEquals(new Average(7), Samples.value(THIRD, Samples.bytes(FIRST, 7L)));
    assertEquals(new Average(2.25), Samples.value(THIRD, second));
    assertEquals(new Average(0.5), Samples.value(THIRD, Samples.bytes(THIRD, new Average(0.5))));
  }

  @Test
  void anyBytesWithoutAVersionAreVersion1() {
    Random random = new Random(5);
    VersionedSerde<String> serde =
        Serdes.version(2, Serdes.string())
            .from(1, Serdes.bytes(), bytes -> "was " + List.of(bytes.length));
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextInt(24)];
      random.nextBytes(bytes);
      if (random.nextBoolean() && bytes.length > 0) {
        bytes[0] = (byte) 0xFF;
      }
      assertEquals("was [" + bytes.length + "]", Samples.value(serde, bytes));
    }
    byte[] longest = Samples.bytes(serde, "");
    assertEquals(9, longest.length);
    assertEquals("", Samples.value(serde, longest));
    byte[] withoutVersion = "\u00ffmillrce".getBytes(StandardCharsets.ISO_8859_1);
    assertEquals("was [8]", Samples.value(serde, withoutVersion));
  }

  @Test
  void aPlanIsReadWithAllVersionsThatMayBeThere() {
    assertEquals(Optional.empty(), Serdes.obstacle(SECOND, FIRST.schema()));
    assertEquals(Optional.empty(), Serdes.obstacle(SECOND, SECOND.schema()));
    assertEquals(Optional.empty(), Serdes.obstacle(THIRD, SECOND.schema()));
    assertEquals(
        Optional.of("values of version 1 may still be there: keep from(1, ..)"),
        Serdes.obstacle(Serdes.version(2, TOTALS), FIRST.schema()));
    assertEquals(
        Optional.of("values of version 1 may still be there: keep from(1, ..)"),
        Serdes.obstacle(Serdes.version(2, TOTALS), SECOND.schema()));
    assertEquals(
        Optional.of("it was written as version 3, and this is version 2"),
        Serdes.obstacle(SECOND, Serdes.version(3, TOTALS).schema()));
    assertEquals(
        Optional.of("it was written as version 2, and has none here"),
        Serdes.obstacle(TOTALS, SECOND.schema()));
    assertTrue(
        Serdes.obstacle(SECOND, Serdes.string().schema()).orElseThrow().startsWith("version 1: "));
  }

  @Test
  void withAWayBackTheEarlierVersionIsWritten() {
    VersionedSerde<Total> turning =
        Serdes.version(2, TOTALS).from(1, FIRST, Total::ofSum, Total::sum);
    Serde<Total> older = turning.writingAs(FIRST.schema()).orElseThrow();
    assertEquals(FIRST.schema(), older.schema());
    assertArrayEquals(Samples.bytes(FIRST, 5L), Samples.bytes(older, new Total(5, 1)));
    assertEquals(new Total(5, 1), Samples.value(older, Samples.bytes(older, new Total(5, 1))));
    assertEquals(new Total(5, 3), Samples.value(older, Samples.bytes(turning, new Total(5, 3))));
    SerdeException e =
        assertThrows(SerdeException.class, () -> Samples.bytes(older, new Total(5, 3)));
    assertTrue(e.getMessage().contains("would be Total[sum=5, count=1]"), e.getMessage());
    assertEquals(Optional.empty(), SECOND.writingAs(FIRST.schema()));
  }

  private record Wide(@Was("sum") double total, long count) {}

  private record Narrow(float sum) {}

  @Test
  void aVersionEvolvesToo() {
    VersionedSerde<Narrow> before = Serdes.version(2, Serdes.record(Narrow.class));
    VersionedSerde<Wide> after = Serdes.version(2, Serdes.record(Wide.class));
    assertEquals(Optional.empty(), Serdes.obstacle(after, before.schema()));
    Serde<Wide> older = after.writingAs(before.schema()).orElseThrow();
    byte[] bytes = Samples.bytes(older, new Wide(1.5, 2));
    assertEquals(new Narrow(1.5f), Samples.value(before, bytes));
    assertEquals(new Wide(1.5, 2), Samples.value(after, bytes));
  }

  @Test
  void failuresOfFunctionsNameTheVersion() {
    VersionedSerde<String> serde =
        Serdes.version(2, Serdes.string())
            .from(
                1,
                FIRST,
                value -> {
                  throw new IllegalStateException("no " + value);
                });
    SerdeException e =
        assertThrows(SerdeException.class, () -> Samples.value(serde, Samples.bytes(FIRST, 7L)));
    assertEquals(
        "the function that migrates from version 1 failed: java.lang.IllegalStateException: no 7",
        e.getMessage());
    byte[] third = Samples.bytes(Serdes.version(3, Serdes.string()), "x");
    assertThrows(SerdeException.class, () -> Samples.value(serde, third));
  }

  @Test
  void numbersOfVersionsAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> Serdes.version(1, FIRST));
    assertThrows(IllegalArgumentException.class, () -> Serdes.version(256, FIRST));
    assertThrows(IllegalArgumentException.class, () -> SECOND.from(2, FIRST, Total::ofSum));
    assertThrows(IllegalArgumentException.class, () -> SECOND.from(1, FIRST, Total::ofSum));
    assertThrows(IllegalArgumentException.class, () -> SECOND.from(0, FIRST, Total::ofSum));
    assertFalse(SECOND.ordered());
  }
}
