package dev.millrace.json;

import static dev.millrace.json.Json.json;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JsonTest {
  enum Section {
    SKILL,
    JOB
  }

  record Line(String article, int pieces, BigDecimal price) {}

  record Order(
      long number,
      boolean paid,
      Section section,
      Instant at,
      Duration took,
      LocalDate day,
      List<Line> lines,
      Map<String, Integer> counts,
      Optional<String> note,
      double weight) {}

  private static <T> String write(Serde<T> serde, T value) {
    BytesWriter out = new BytesWriter(8);
    out.writeByte('!');
    serde.write(value, out);
    return out.view(new Bytes(), 1).toUtf8();
  }

  private static <T> T read(Serde<T> serde, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] around = new byte[bytes.length + 2];
    Arrays.fill(around, (byte) '}');
    System.arraycopy(bytes, 0, around, 1, bytes.length);
    return serde.read(new Bytes().set(around, 1, bytes.length));
  }

  private static void refused(String message, Serde<?> serde, String text) {
    assertEquals(
        message, assertThrows(SerdeException.class, () -> read(serde, text), text).getMessage());
  }

  private static Order order() {
    return new Order(
        7,
        true,
        Section.JOB,
        Instant.parse("2026-07-01T12:00:00.123456789Z"),
        Duration.ofMillis(90_500),
        LocalDate.of(2026, 7, 1),
        List.of(new Line("näil", 3, new BigDecimal("1.50"))),
        Map.of("b", 2, "a", 1),
        Optional.empty(),
        0.5);
  }

  @Test
  void aRecordIsWrittenInTheOrderOfItsComponents() {
    assertEquals(
        """
        {"number":7,"paid":true,"section":"JOB","at":"2026-07-01T12:00:00.123456789Z",\
        "took":"PT1M30.5S","day":"2026-07-01",\
        "lines":[{"article":"näil","pieces":3,"price":1.50}],\
        "counts":{"a":1,"b":2},"note":null,"weight":0.5}\
        """,
        write(json(Order.class), order()));
  }

  @Test
  void whatWasWrittenIsRead() {
    Serde<Order> serde = json(Order.class);
    assertEquals(order(), read(serde, write(serde, order())));
    Serde<Map<String, List<Line>>> generic = json(new TypeRef<Map<String, List<Line>>>() {});
    Map<String, List<Line>> map = Map.of("x", order().lines());
    assertEquals(map, read(generic, write(generic, map)));
    assertEquals("x\uD800y", read(json(String.class), write(json(String.class), "x\uD800y")));
  }

  record Times(LocalDateTime local, OffsetDateTime offset, UUID uuid, BigInteger big) {}

  @Test
  void timesKeepTheirOffset() {
    Times times =
        new Times(
            LocalDateTime.of(2026, 7, 1, 12, 30),
            OffsetDateTime.parse("2026-07-01T12:30:00+02:00"),
            UUID.fromString("0190163d-8694-739b-aea5-966c26f8ad91"),
            BigInteger.TWO.pow(200));
    assertEquals(times, read(json(Times.class), write(json(Times.class), times)));
  }

  record V1(String tag, int count) {}

  record V2(String tag, long rank, String note, Optional<String> more, boolean hot) {}

  @Test
  void componentsMayBeAddedAndRemoved() {
    V2 read = read(json(V2.class), write(json(V1.class), new V1("a", 3)));
    assertEquals(new V2("a", 0, null, Optional.empty(), false), read);
    V1 older =
        read(json(V1.class), write(json(V2.class), new V2("a", 1, "n", Optional.of("m"), true)));
    assertEquals(new V1("a", 0), older);
    assertTrue(json(V2.class).canRead(json(V1.class).schema()));
  }

  @Test
  void faultsAreSaidWithTheirPlaceAndWithoutTheText() {
    Serde<Order> serde = json(Order.class);
    refused("line 1, column 12, field number: expected long", serde, "{\"number\": \"secret\"}");
    refused(
        "line 2, column 24, field lines[1].pieces: expected int",
        serde,
        "{\"lines\": [{\"pieces\": 1},\n            {\"pieces\": [\"secret\"]}]}");
    refused("line 1, column 11, field number: expected long", serde, "{\"number\":null}");
    refused("line 1, column 11, field number: expected long", serde, "{\"number\":1.5}");
    refused(
        "line 1, column 12, field section: expected Section", serde, "{\"section\":\"secret\"}");
    refused("line 1, column 12, field section: expected Section", serde, "{\"section\":1}");
    refused("line 1, column 7, field at: expected Instant", serde, "{\"at\":\"secret\"}");
    refused(
        "line 1, column 21, field counts[…]: expected Integer",
        serde,
        "{\"counts\":{\"secret\":\"x\"}}");
    refused("line 1, column 1: expected Order", serde, "[\"secret\"]");
    refused("expected a value, found null", serde, "null");
  }

  @Test
  void textsThatAreNoJsonAreRefused() {
    Serde<Line> serde = json(Line.class);
    for (String text :
        List.of(
            "{\"pieces\":secret}",
            "{\"pieces\" 1}",
            "{\"article\":\"a\u0001\"}",
            "{'pieces':1}",
            "{} secret",
            "\uFEFF{}",
            "{,}")) {
      String message = assertThrows(SerdeException.class, () -> read(serde, text)).getMessage();
      assertTrue(message.endsWith(": this is not JSON"), message);
      assertFalse(message.contains("secret"), message);
    }
    refused(
        "line 1, column 22, field pieces: the number is out of the range of int",
        serde,
        "{\"pieces\":99999999999}");
    for (String text : List.of("{\"pieces\":1", "{\"article\":\"a", "", "{}{", "{}1")) {
      assertThrows(SerdeException.class, () -> read(serde, text));
    }
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() {
    Serde<String> serde = json(String.class);
    for (byte[] bytes :
        List.of(
            new byte[] {'"', (byte) 0xC0, (byte) 0x80, '"'},
            new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'},
            new byte[] {'"', (byte) 0xFF, '"'},
            new byte[] {'"', (byte) 0xC3, '"'})) {
      assertTrue(
          assertThrows(SerdeException.class, () -> serde.read(Bytes.of(bytes)))
              .getMessage()
              .startsWith("malformed UTF-8 at byte 1 of "));
    }
    // UTF-16, which other readers guess.
    byte[] utf16 = "\"x\"".getBytes(StandardCharsets.UTF_16BE);
    assertThrows(SerdeException.class, () -> serde.read(Bytes.of(utf16)));
  }

  record Even(int number) {
    Even {
      if (number % 2 != 0) {
        throw new IllegalArgumentException("odd");
      }
    }
  }

  @Test
  void aConstructorThatRefusesIsBadInput() {
    SerdeException e =
        assertThrows(SerdeException.class, () -> read(json(Even.class), "{\"number\":3}"));
    assertTrue(e.getMessage().endsWith("the constructor rejected the value"), e.getMessage());
    assertInstanceOf(IllegalArgumentException.class, e.getCause());
    assertEquals(new Even(4), read(json(Even.class), "{\"number\":4}"));
  }

  record Nested(List<Nested> inner) {}

  @Test
  void depthIsLimited() {
    String deep = "{\"inner\":[".repeat(600) + "]}".repeat(600);
    String message =
        assertThrows(SerdeException.class, () -> read(json(Nested.class), deep)).getMessage();
    assertTrue(message.contains("the text exceeds a limit of size or nesting"), message);
    Nested value = new Nested(List.of());
    for (int i = 0; i < 600; i++) {
      value = new Nested(List.of(value));
    }
    Nested tooDeep = value;
    assertThrows(SerdeException.class, () -> write(json(Nested.class), tooDeep));
  }

  record Failing(String name) {
    @Override
    public String name() {
      throw new IllegalStateException("the accessor fails");
    }
  }

  @Test
  void whatCannotBeWrittenIsSaidWithItsField() {
    SerdeException e =
        assertThrows(
            SerdeException.class,
            () -> write(json(new TypeRef<List<Failing>>() {}), List.of(new Failing("secret"))));
    assertEquals("field [0].name: cannot be written as JSON", e.getMessage());
    assertInstanceOf(IllegalStateException.class, e.getCause());
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS, property = "class")
  interface ByClass {}

  record Harmless(int a) implements ByClass {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Opened.class, name = "opened"),
    @JsonSubTypes.Type(value = Closed.class, name = "closed")
  })
  sealed interface Event {}

  record Opened(String who) implements Event {}

  record Closed(int code) implements Event {}

  @Test
  void theTextNeverChoosesAClass() {
    String text = "{\"class\":\"" + Harmless.class.getName() + "\",\"a\":1}";
    assertThrows(SerdeException.class, () -> read(json(ByClass.class), text));
    assertEquals(
        Map.of("@class", "java.io.File"),
        read(json(new TypeRef<Map<String, Object>>() {}), "{\"@class\":\"java.io.File\"}"));
  }

  @Test
  void recordsOfASealedInterfaceAreKnownByName() {
    Serde<Event> serde = json(Event.class);
    assertEquals("{\"type\":\"closed\",\"code\":3}", write(serde, new Closed(3)));
    assertEquals(new Opened("x"), read(serde, "{\"type\":\"opened\",\"who\":\"x\"}"));
    refused("line 1, column 9: the type name is unknown", serde, "{\"type\":\"secret\"}");
  }

  record Keyed(String name, Section section, List<Double> values, Map<String, long[]> sums) {}

  @Test
  void equalValuesGiveEqualBytesIfTheSerdeSaysSo() {
    Serde<Keyed> serde = json(Keyed.class);
    assertTrue(serde.canonical());
    Random random = new Random(6);
    for (int i = 0; i < 500; i++) {
      List<String> names = new ArrayList<>();
      Map<String, long[]> sums = new HashMap<>();
      for (int k = random.nextInt(20); k > 0; k--) {
        names.add(Long.toString(random.nextLong(), 36));
        sums.put(names.getLast(), new long[] {random.nextInt()});
      }
      Collections.shuffle(names, random);
      Map<String, long[]> shuffled = new LinkedHashMap<>();
      names.forEach(name -> shuffled.put(name, sums.get(name)));
      List<Double> values = List.of(random.nextGaussian(), -0.0, Double.NaN);
      assertEquals(
          write(serde, new Keyed("a", Section.JOB, values, sums)),
          write(serde, new Keyed("a", Section.JOB, new ArrayList<>(values), shuffled)));
    }
  }

  @Test
  void typesWhoseTextsMayDifferAreNotCanonical() {
    record Sets(Set<String> names) {}
    record Any(Object any) {}
    assertFalse(json(Sets.class).canonical());
    assertFalse(json(Any.class).canonical());
    assertFalse(json(Event.class).canonical());
    assertFalse(json(new TypeRef<Map<Double, String>>() {}).canonical());
    assertTrue(json(Order.class).canonical());
    assertTrue(json(Nested.class).canonical());
    assertTrue(json(new TypeRef<List<? extends Line>[]>() {}).canonical());
    assertFalse(json(Order.class).ordered());
  }

  @Test
  void idsNameTheType() {
    assertEquals("json:" + Order.class.getName(), json(Order.class).id());
    assertEquals("json:java.util.List<java.lang.Long>", json(new TypeRef<List<Long>>() {}).id());
    assertEquals("json", json(Order.class).schema());
  }

  @Test
  void damagedTextsAreReadOrRefused() {
    Serde<Order> serde = json(Order.class);
    byte[] text = write(serde, order()).getBytes(StandardCharsets.UTF_8);
    Random random = new Random(11);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] damaged = text.clone();
      for (int k = random.nextInt(3); k >= 0; k--) {
        damaged[random.nextInt(text.length)] =
            random.nextBoolean() ? (byte) random.nextInt() : text[random.nextInt(text.length)];
      }
      int length = random.nextInt(4) == 0 ? random.nextInt(text.length) : text.length;
      try {
        serde.write(serde.read(new Bytes().set(damaged, 0, length)), new BytesWriter());
      } catch (SerdeException e) {
        refused++;
        assertFalse(String.valueOf(e.getMessage()).contains("näil"), e::getMessage);
      }
    }
    assertTrue(refused > 500 && refused < 5_000, "some were refused: " + refused);
  }

  @Test
  void manyThreadsShareASerde() throws InterruptedException {
    Serde<Order> serde = json(Order.class);
    byte[] expected = write(serde, order()).getBytes(StandardCharsets.UTF_8);
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(() -> {
            BytesWriter out = new BytesWriter();
            for (int i = 0; i < 200; i++) {
              serde.write(serde.read(Bytes.of(expected)), out.clear());
              assertArrayEquals(expected, out.toByteArray());
            }
          });
      thread.setUncaughtExceptionHandler((_, e) -> failures.add(e));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), failures);
  }

  @Test
  void missingValuesAreNull() {
    Order read = read(json(Order.class), "{}");
    assertNull(read.lines());
    assertEquals(Optional.empty(), read.note());
    assertEquals(0, read.number());
  }
}
