package dev.millrace.api.serde;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Types and values that the tests share.
final class Samples {
  private Samples() {}

  enum Section {
    SKILL,
    JOB,
    SCHOOL {
      @Override
      public String toString() {
        return "a constant with a body";
      }
    }
  }

  record Trend(Instant windowStart, int rank, String tag, long count) {}

  record Primitives(
      boolean flag, byte small, short half, char letter, int whole, long big, float f, double d) {}

  record Boxes(
      @Nullable Boolean flag,
      @Nullable Byte small,
      @Nullable Short half,
      @Nullable Character letter,
      @Nullable Integer whole,
      @Nullable Long big,
      @Nullable Float f,
      @Nullable Double d) {}

  record Simple(
      @Nullable String text,
      @Nullable Section section,
      @Nullable UUID uuid,
      @Nullable Instant instant,
      @Nullable Duration duration,
      @Nullable LocalDate date,
      @Nullable LocalTime time,
      @Nullable LocalDateTime dateTime,
      @Nullable BigInteger integer,
      @Nullable BigDecimal decimal,
      @Nullable Bytes bytes) {}

  record Line(String article, int pieces, @Nullable BigDecimal price) {}

  record Order(
      long number,
      List<Line> lines,
      Set<String> labels,
      Map<String, List<Integer>> counts,
      Optional<Line> gift,
      Optional<Optional<String>> nested) {}

  sealed interface Shape {}

  record Circle(double radius) implements Shape {}

  record Square(double side, String colour) implements Shape {}

  record Group(String name, List<Shape> members) implements Shape {}

  record Node(int value, @Nullable Node left, @Nullable Node right, List<Node> others) {}

  record Pair<A, B>(A first, B second) {}

  record Empty() {}

  record Key(String tag, int rank, Optional<Long> version, Instant at) {}

  /// A source of values of many kinds, some of them at the edges.
  static final class Source {
    final Random random;

    Source(long seed) {
      random = new Random(seed);
    }

    boolean coin() {
      return random.nextBoolean();
    }

    @SafeVarargs
    final <T> T oneOf(T... values) {
      return values[random.nextInt(values.length)];
    }

    <T> @Nullable T orNull(Function<Source, T> make) {
      return random.nextInt(4) == 0 ? null : make.apply(this);
    }

    long aLong() {
      return switch (random.nextInt(4)) {
        case 0 -> oneOf(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 63L, 64L, -64L, -65L);
        case 1 -> random.nextInt(-300, 300);
        default -> random.nextLong() >> random.nextInt(64);
      };
    }

    int anInt() {
      return random.nextInt(3) == 0
          ? oneOf(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE)
          : random.nextInt() >> random.nextInt(32);
    }

    double aDouble() {
      return switch (random.nextInt(3)) {
        case 0 ->
            oneOf(
                0.0,
                -0.0,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                Double.MIN_VALUE,
                -Double.MIN_VALUE,
                Double.MAX_VALUE,
                -Double.MAX_VALUE);
        case 1 -> random.nextGaussian();
        default -> Double.longBitsToDouble(random.nextLong());
      };
    }

    float aFloat() {
      return random.nextInt(3) == 0
          ? oneOf(0.0f, -0.0f, Float.NaN, Float.MIN_VALUE, -Float.MAX_VALUE)
          : Float.intBitsToFloat(random.nextInt());
    }

    String aString() {
      int length = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(12);
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < length; i++) {
        text.appendCodePoint(
            switch (random.nextInt(8)) {
              case 0 -> oneOf(0, 1, 2, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF);
              case 1 -> random.nextInt(0xE000, 0x110000);
              case 2 -> random.nextInt(0x80, 0xD800);
              default -> random.nextInt('a', 'z');
            });
      }
      return text.toString();
    }

    byte[] someBytes() {
      byte[] bytes = new byte[random.nextInt(8)];
      random.nextBytes(bytes);
      for (int i = 0; i < bytes.length; i++) {
        if (coin()) {
          bytes[i] = (byte) random.nextInt(3);
        }
      }
      return bytes;
    }

    Instant anInstant() {
      return switch (random.nextInt(4)) {
        case 0 ->
            oneOf(
                Instant.MIN,
                Instant.MAX,
                Instant.EPOCH,
                Instant.EPOCH.minusNanos(1),
                Instant.ofEpochSecond(-9_223_372_036L),
                Instant.ofEpochSecond(-9_223_372_036L, -1),
                Instant.ofEpochSecond(9_223_372_036L, -1),
                Instant.ofEpochSecond(9_223_372_036L));
        case 1 ->
            Instant.ofEpochSecond(
                random.nextLong(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()),
                random.nextInt(1_000_000_000));
        default -> Instant.ofEpochMilli(random.nextLong(-10_000_000_000L, 4_000_000_000_000L));
      };
    }

    Duration aDuration() {
      return random.nextInt(3) == 0
          ? oneOf(
              Duration.ZERO,
              Duration.ofNanos(-1),
              Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
              Duration.ofSeconds(Long.MIN_VALUE),
              Duration.ofNanos(Long.MIN_VALUE),
              Duration.ofNanos(Long.MAX_VALUE))
          : Duration.ofSeconds(aLong() / 2, random.nextInt(1_000_000_000));
    }

    LocalDate aDate() {
      return random.nextInt(3) == 0
          ? oneOf(LocalDate.MIN, LocalDate.MAX, LocalDate.EPOCH)
          : LocalDate.ofEpochDay(random.nextInt(-800_000, 800_000));
    }

    LocalTime aTime() {
      return random.nextInt(3) == 0
          ? oneOf(LocalTime.MIN, LocalTime.MAX, LocalTime.NOON)
          : LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L));
    }

    UUID aUuid() {
      return new UUID(aLong(), aLong());
    }

    BigInteger aBigInteger() {
      BigInteger number = new BigInteger(random.nextInt(130), random);
      return coin() ? number : number.negate();
    }

    BigDecimal aBigDecimal() {
      return random.nextInt(6) == 0
          ? new BigDecimal(BigInteger.valueOf(anInt()), anInt())
          : new BigDecimal(
              coin() ? aBigInteger() : BigInteger.valueOf(random.nextInt(-1100, 1100)),
              random.nextInt(-4, 5));
    }

    Primitives primitives() {
      return new Primitives(
          coin(),
          (byte) anInt(),
          (short) anInt(),
          (char) anInt(),
          anInt(),
          aLong(),
          aFloat(),
          aDouble());
    }

    Boxes boxes() {
      return new Boxes(
          orNull(Source::coin),
          orNull(s -> (byte) s.anInt()),
          orNull(s -> (short) s.anInt()),
          orNull(s -> (char) s.anInt()),
          orNull(Source::anInt),
          orNull(Source::aLong),
          orNull(Source::aFloat),
          orNull(Source::aDouble));
    }

    Simple simple() {
      return new Simple(
          orNull(Source::aString),
          orNull(s -> s.oneOf(Section.values())),
          orNull(Source::aUuid),
          orNull(Source::anInstant),
          orNull(Source::aDuration),
          orNull(Source::aDate),
          orNull(Source::aTime),
          orNull(s -> s.aDate().atTime(s.aTime())),
          orNull(Source::aBigInteger),
          orNull(Source::aBigDecimal),
          orNull(s -> Bytes.of(s.someBytes())));
    }

    <T> List<T> listOf(int most, Function<Source, T> make) {
      List<T> list = new ArrayList<>();
      for (int i = random.nextInt(most + 1); i > 0; i--) {
        list.add(make.apply(this));
      }
      return list;
    }

    Line line() {
      return new Line(aString(), anInt(), orNull(Source::aBigDecimal));
    }

    Order order() {
      Map<String, List<Integer>> counts = new HashMap<>();
      for (String label : listOf(3, Source::aString)) {
        counts.put(label, listOf(3, Source::anInt));
      }
      return new Order(
          aLong(),
          listOf(4, Source::line),
          new HashSet<>(listOf(5, Source::aString)),
          counts,
          coin() ? Optional.empty() : Optional.of(line()),
          coin()
              ? Optional.empty()
              : Optional.of(coin() ? Optional.empty() : Optional.of(aString())));
    }

    Shape shape(int depth) {
      return switch (random.nextInt(depth > 0 ? 3 : 2)) {
        case 0 -> new Circle(aDouble());
        case 1 -> new Square(aDouble(), aString());
        default -> new Group(aString(), listOf(3, s -> s.shape(depth - 1)));
      };
    }

    Node node(int depth) {
      return new Node(
          anInt(),
          depth > 0 && coin() ? node(depth - 1) : null,
          depth > 0 && coin() ? node(depth - 1) : null,
          depth > 0 ? listOf(2, s -> s.node(depth - 2)) : List.of());
    }

    Key key() {
      return new Key(
          oneOf("", "a", "b", "ab", aString()),
          oneOf(0, 1, anInt()),
          coin() ? Optional.empty() : Optional.of(aLong()),
          anInstant());
    }
  }

  static <T> byte[] bytes(Serde<T> serde, T value) {
    BytesWriter out = new BytesWriter(16);
    // What is already in the writer must stay out of it.
    out.writeByte(0x5A);
    serde.write(value, out);
    return out.view(new Bytes(), 1).toByteArray();
  }

  static <T> T value(Serde<T> serde, byte[] bytes) {
    // A view in the middle of other bytes, as records are in a batch.
    byte[] around = new byte[bytes.length + 5];
    System.arraycopy(bytes, 0, around, 2, bytes.length);
    return serde.read(new Bytes().set(around, 2, bytes.length));
  }
}
