package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Samples.Boxes;
import dev.millrace.api.serde.Samples.Circle;
import dev.millrace.api.serde.Samples.Group;
import dev.millrace.api.serde.Samples.Key;
import dev.millrace.api.serde.Samples.Line;
import dev.millrace.api.serde.Samples.Node;
import dev.millrace.api.serde.Samples.Order;
import dev.millrace.api.serde.Samples.Primitives;
import dev.millrace.api.serde.Samples.Section;
import dev.millrace.api.serde.Samples.Shape;
import dev.millrace.api.serde.Samples.Simple;
import dev.millrace.api.serde.Samples.Square;
import dev.millrace.api.serde.Samples.Trend;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// What was written once can be read for ever, and is written the same for ever.
///
/// The files hold bytes that are out in the world. A test that fails here shows a change of the
/// format: the files stay, the change goes, or the format gets a new version and a new file beside
/// the old ones.
class GoldenFilesTest {
  private static final UUID UUID_1 = UUID.fromString("0190163d-8694-739b-aea5-966c26f8ad91");
  private static final Instant NOON = Instant.parse("2026-07-01T12:00:00.123456789Z");

  private record Sample<T>(Serde<T> serde, T value) {
    void check(String name, String hex) {
      assertEquals(hex, HexFormat.of().formatHex(Samples.bytes(serde, value)), name);
      assertEquals(value, Samples.value(serde, HexFormat.of().parseHex(hex)), name);
    }
  }

  @Test
  void simpleValues() throws IOException {
    check("simple.hex", simple());
  }

  private static Map<String, Sample<?>> simple() {
    Map<String, Sample<?>> samples = new LinkedHashMap<>();
    samples.put("string", new Sample<>(Serdes.string(), "Mühle\uD83D\uDE00"));
    samples.put("uuid", new Sample<>(Serdes.uuid(), UUID_1));
    samples.put("boolean", new Sample<>(Serdes.booleans(), true));
    samples.put("byte", new Sample<>(Serdes.byteValues(), (byte) -2));
    samples.put("short", new Sample<>(Serdes.shorts(), (short) 258));
    samples.put("char", new Sample<>(Serdes.chars(), 'ß'));
    samples.put("int", new Sample<>(Serdes.ints(), -3));
    samples.put("long", new Sample<>(Serdes.longs(), 1L << 40));
    samples.put("float", new Sample<>(Serdes.floats(), -1.5f));
    samples.put("double", new Sample<>(Serdes.doubles(), Math.PI));
    samples.put("double-nan", new Sample<>(Serdes.doubles(), Double.NaN));
    samples.put("instant", new Sample<>(Serdes.instant(), NOON));
    samples.put("instant-min", new Sample<>(Serdes.instant(), Instant.MIN));
    samples.put("instant-max", new Sample<>(Serdes.instant(), Instant.MAX));
    samples.put("duration", new Sample<>(Serdes.duration(), Duration.ofMillis(-1)));
    samples.put("localDate", new Sample<>(Serdes.localDate(), LocalDate.of(2026, 7, 1)));
    samples.put("localTime", new Sample<>(Serdes.localTime(), LocalTime.of(12, 30)));
    samples.put(
        "localDateTime",
        new Sample<>(Serdes.localDateTime(), LocalDateTime.of(1969, 12, 31, 23, 59)));
    samples.put("bigInteger", new Sample<>(Serdes.bigInteger(), BigInteger.TWO.pow(70).negate()));
    samples.put("bigDecimal", new Sample<>(Serdes.bigDecimal(), new BigDecimal("-120.50")));
    samples.put("bigDecimal-zero", new Sample<>(Serdes.bigDecimal(), new BigDecimal("0.00")));
    samples.put("enum", new Sample<>(Serdes.enumeration(Section.class), Section.SCHOOL));
    samples.put("kafka-long", new Sample<>(Serdes.kafkaLong(), -5L));
    return samples;
  }

  @Test
  void recordsOfVersion1() throws IOException {
    check("records-v1.hex", records());
  }

  private static Map<String, Sample<?>> records() {
    Map<String, Sample<?>> samples = new LinkedHashMap<>();
    samples.put(
        "trend", new Sample<>(Serdes.record(Trend.class), new Trend(NOON, 3, "kafka", 300)));
    samples.put(
        "primitives",
        new Sample<>(
            Serdes.record(Primitives.class),
            new Primitives(true, (byte) -2, (short) 258, 'ß', -3, 1L << 40, -1.5f, Math.PI)));
    samples.put(
        "boxes",
        new Sample<>(
            Serdes.record(Boxes.class), new Boxes(false, null, (short) 0, 'a', 0, null, 0f, 0d)));
    samples.put(
        "simple",
        new Sample<>(
            Serdes.record(Simple.class),
            new Simple(
                "Mühle",
                Section.JOB,
                UUID_1,
                Instant.MAX,
                Duration.ofMillis(-1),
                LocalDate.of(2026, 7, 1),
                LocalTime.NOON,
                LocalDateTime.of(2026, 7, 1, 12, 0),
                BigInteger.TEN,
                new BigDecimal("12.50"),
                Bytes.of(new byte[] {0, 1}))));
    samples.put(
        "order",
        new Sample<>(
            Serdes.record(Order.class),
            new Order(
                77,
                List.of(new Line("nail", 100, new BigDecimal("0.02")), new Line("", 0, null)),
                Set.of("b", "a"),
                Map.of("y", List.of(), "x", List.of(1, -1)),
                Optional.of(new Line("card", 1, null)),
                Optional.of(Optional.empty()))));
    Shape shape = new Group("g", List.of(new Circle(1.5), new Square(0, "red")));
    samples.put("shape", new Sample<>(Serdes.forType(new TypeRef<Shape>() {}), shape));
    Node leaf = new Node(2, null, null, List.of());
    samples.put(
        "node", new Sample<>(Serdes.record(Node.class), new Node(1, leaf, null, List.of(leaf))));
    samples.put(
        "list", new Sample<>(Serdes.listOf(Serdes.record(Circle.class)), List.of(new Circle(1))));
    samples.put("empty-list", new Sample<>(Serdes.listOf(Serdes.string()), List.of()));
    samples.put(
        "map",
        new Sample<>(Serdes.mapOf(Serdes.string(), Serdes.kafkaLong()), Map.of("b", 2L, "a", 1L)));
    return samples;
  }

  @Test
  void keys() throws IOException {
    Map<String, Sample<?>> samples = new LinkedHashMap<>();
    Serde<Key> serde = Serdes.orderedRecord(Key.class);
    samples.put("key", new Sample<>(serde, new Key("tag\0\1\2", -1, Optional.of(5L), NOON)));
    samples.put("key-empty", new Sample<>(serde, new Key("", 0, Optional.empty(), Instant.MIN)));
    samples.put(
        "list",
        new Sample<>(
            Serdes.keyForType(new TypeRef<List<List<String>>>() {}),
            List.of(List.of("a", ""), List.of())));
    check("keys.hex", samples);
  }

  private static void check(String file, Map<String, Sample<?>> samples) throws IOException {
    Map<String, String> golden = read(file);
    assertEquals(samples.keySet(), golden.keySet(), file);
    samples.forEach((name, sample) -> sample.check(file + " " + name, golden.get(name)));
  }

  private static Map<String, String> read(String file) throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    try (InputStream in = GoldenFilesTest.class.getResourceAsStream("/golden/" + file);
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in, file), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.startsWith("#")) {
          String[] nameAndHex = line.split(" ", 2);
          lines.put(nameAndHex[0], nameAndHex[1].replace(" ", ""));
        }
      }
    }
    return lines;
  }
}
