package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.rows.PassedTimes;
import dev.millrace.internal.engine.operators.rows.Ranking;
import dev.millrace.internal.engine.operators.rows.Timers;
import dev.millrace.internal.engine.operators.rows.Version;
import dev.millrace.internal.engine.operators.rows.WindowResultSerde;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OperatorSerdesTest {
  private static final WindowResultSerde RESULTS =
      new WindowResultSerde(TestSerdes.STRING, TestSerdes.LONG);
  private static final Ranking.Format RANKINGS =
      new Ranking.Format(TestSerdes.STRING, TestSerdes.LONG);

  record Before(String name) {}

  record After(String name, int added) {}

  @Test
  void theFormatOfResultsIsFixed() {
    assertEquals(
        "00000000000003e8"
            + "0000000000000bb8"
            + "00000002"
            + "6162"
            + "00000008"
            + "8000000000000005",
        hex(RESULTS, new WindowResult<>(window(1000, 3000), "ab", 5L)));
  }

  @Test
  void theFormatOfRankingsIsFixed() {
    Ranking ranking = Ranking.empty();
    ranking.add(Bytes.ofUtf8("a"), 1L, 2);
    ranking.add(Bytes.ofUtf8("b"), 2L, 2);
    assertEquals(
        "00000001"
            + "00000002"
            + "00000001"
            + "62"
            + "00000008"
            + "8000000000000002"
            + "00000001"
            + "61"
            + "00000008"
            + "8000000000000001",
        hex(RANKINGS, ranking));
  }

  @Test
  void theFormatOfVersionsIsFixed() {
    Version.Format versions = new Version.Format(TestSerdes.STRING);
    assertEquals("016162", hex(versions, new Version("ab")));
    assertEquals("00", hex(versions, Version.NONE));
    assertEquals(new Version("ab"), versions.read(Bytes.of(bytes(versions, new Version("ab")))));
    assertEquals(Version.NONE, versions.read(Bytes.of(new byte[] {0})));
    assertThrows(SerdeException.class, () -> versions.read(Bytes.of(new byte[] {2})));
    assertThrows(SerdeException.class, () -> versions.read(Bytes.of(new byte[0])));
    Version.Format views = new Version.Format(TestSerdes.untyped(Serdes.view()));
    byte[] written = bytes(views, new Version(Bytes.ofUtf8("ab")));
    Version read = views.read(Bytes.of(written));
    Arrays.fill(written, (byte) 0);
    assertEquals(new Version(Bytes.ofUtf8("ab")), read);
  }

  @Test
  void whatWasWrittenIsRead() {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      WindowResult<Object, Object> result =
          new WindowResult<>(
              window(random.nextInt(), random.nextInt()),
              "k".repeat(random.nextInt(300)),
              random.nextLong());
      assertEquals(result, RESULTS.read(Bytes.of(bytes(RESULTS, result))));
      Ranking ranking = new Ranking(1 + random.nextInt(5), Ranking.empty().entries());
      for (int entries = random.nextInt(5); entries > 0; entries--) {
        ranking.add(Bytes.ofUtf8("k" + entries), random.nextLong(), 4);
      }
      assertEquals(ranking, RANKINGS.read(Bytes.of(bytes(RANKINGS, ranking))));
    }
  }

  @Test
  void viewsInAResultAreTwoViews() {
    Serde<Object> views = TestSerdes.untyped(Serdes.view());
    WindowResultSerde serde = new WindowResultSerde(views, views);
    WindowResult<Object, Object> result =
        new WindowResult<>(window(0, 10), Bytes.ofUtf8("key"), Bytes.ofUtf8("value"));
    assertEquals(result, serde.read(Bytes.of(bytes(serde, result))));
  }

  @Test
  void everyCutAndEveryExcessIsRefused() {
    Ranking ranking = Ranking.empty();
    ranking.add(Bytes.ofUtf8("key"), 1L, 2);
    refuseCuts(RESULTS, bytes(RESULTS, new WindowResult<>(window(0, 10), "key", 1L)));
    refuseCuts(RANKINGS, bytes(RANKINGS, ranking));
  }

  private static void refuseCuts(Serde<?> serde, byte[] whole) {
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = new Bytes().set(whole, 0, length);
      assertThrows(SerdeException.class, () -> serde.read(cut), "cut to " + length);
    }
    Bytes longer = Bytes.of(Arrays.copyOf(whole, whole.length + 1));
    assertThrows(SerdeException.class, () -> serde.read(longer));
  }

  @Test
  void lengthsBeyondTheBytesAreRefusedWithoutTakingMemory() {
    byte[] result = bytes(RESULTS, new WindowResult<>(window(0, 10), "key", 1L));
    for (String length : List.of("7fffffff", "80000000", "ffffffff")) {
      byte[] longKey = result.clone();
      System.arraycopy(HexFormat.of().parseHex(length), 0, longKey, 16, 4);
      assertThrows(SerdeException.class, () -> RESULTS.read(Bytes.of(longKey)));
      byte[] manyEntries = HexFormat.of().parseHex("00000001" + length);
      assertThrows(SerdeException.class, () -> RANKINGS.read(Bytes.of(manyEntries)));
    }
  }

  @Test
  void eachPartOfASchemaDecidesOnItsOwn() {
    Serde<Object> before = TestSerdes.untyped(Serdes.record(Before.class));
    Serde<Object> after = TestSerdes.untyped(Serdes.record(After.class));
    WindowResultSerde written = new WindowResultSerde(TestSerdes.STRING, before);
    WindowResultSerde now = new WindowResultSerde(TestSerdes.STRING, after);
    assertFalse(written.schema().equals(now.schema()));
    assertEquals(after.canRead(before.schema()), now.canRead(written.schema()));
    assertTrue(written.canRead(written.schema()));
    assertFalse(new WindowResultSerde(TestSerdes.LONG, before).canRead(written.schema()));
    assertFalse(RANKINGS.canRead(RESULTS.schema()));
    for (String strange :
        List.of(
            "",
            "window-result",
            "window-result 3",
            "window-result 9999999999:x",
            "window-result 99:x")) {
      assertFalse(RESULTS.canRead(strange), strange);
    }
  }

  @Test
  void theOrderOfTimesIsTheOrderOfTheirBytes() {
    TimeKey keys = new TimeKey();
    long[] times = {Long.MIN_VALUE, -5000, -1, 0, 1, 255, 256, 5000, Long.MAX_VALUE};
    Bytes last = null;
    for (long time : times) {
      Bytes key = keys.of(time, Bytes.ofUtf8("z")).copy();
      assertEquals(time, TimeKey.time(key));
      assertEquals("z", TimeKey.rowKey(key, new Bytes()).toUtf8());
      assertTrue(last == null || last.compareTo(key) < 0, "order at " + time);
      last = key;
    }
  }

  @Test
  void aTimerIsOneByte() {
    Timers.Mark mark = new Timers.Mark();
    BytesWriter writer = new BytesWriter();
    mark.write(true, writer);
    assertEquals(1, writer.length());
    assertTrue(mark.read(Bytes.of(writer.toByteArray())));
    assertThrows(SerdeException.class, () -> mark.read(new Bytes()));
    assertThrows(SerdeException.class, () -> mark.read(Bytes.of(new byte[] {0})));
  }

  @Test
  void passedTimesAreEightBytesEach() {
    PassedTimes.Format format = new PassedTimes.Format();
    assertEquals(
        "00000000000003e8" + "ffffffffffffffff" + "7fffffffffffffff",
        hex(format, new PassedTimes(1000, -1, Long.MAX_VALUE)));
    Random random = new Random(5);
    for (int count = 1; count < 40; count++) {
      long[] times = random.longs(count).toArray();
      assertArrayEquals(
          times, format.read(Bytes.of(bytes(format, new PassedTimes(times)))).times());
    }
    byte[] whole = bytes(format, new PassedTimes(1, 2));
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = new Bytes().set(whole, 0, length);
      if (length != Long.BYTES) {
        assertThrows(SerdeException.class, () -> format.read(cut), "cut to " + length);
      }
    }
    assertThrows(SerdeException.class, () -> format.read(Bytes.of(Arrays.copyOf(whole, 17))));
    assertFalse(format.canRead("timer"));
  }

  private static Window window(long start, long end) {
    return new Window(Instant.ofEpochMilli(start), Instant.ofEpochMilli(end));
  }

  private static <T> String hex(Serde<T> serde, T value) {
    return HexFormat.of().formatHex(bytes(serde, value));
  }

  private static <T> byte[] bytes(Serde<T> serde, T value) {
    BytesWriter writer = new BytesWriter(1);
    serde.write(value, writer);
    return writer.toByteArray();
  }
}
