package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Each type of number is written and read as each other one.
class WideningTest {
  private record OfByte(byte n) {}

  private record OfShort(short n) {}

  private record OfInt(int n) {}

  private record OfLong(long n) {}

  private record OfFloat(float n) {}

  private record OfDouble(double n) {}

  private record OfBoolean(boolean n) {}

  private record OfChar(char n) {}

  private record OfBoxedByte(@Nullable Byte n) {}

  private record OfBoxedShort(@Nullable Short n) {}

  private record OfBoxedInt(@Nullable Integer n) {}

  private record OfBoxedLong(@Nullable Long n) {}

  private record OfBoxedFloat(@Nullable Float n) {}

  private record OfBoxedDouble(@Nullable Double n) {}

  private record OfBoxedBoolean(@Nullable Boolean n) {}

  private record OfBoxedChar(@Nullable Character n) {}

  /// A type, some of its values, and how a record of one is made.
  private record Kind<R extends Record>(
      String name,
      Class<R> type,
      List<?> values,
      Function<@Nullable Object, R> make,
      Function<R, @Nullable Object> get) {

    byte[] bytes(@Nullable Object value) {
      return Samples.bytes(Serdes.record(type), make.apply(value));
    }

    @Nullable Object read(byte[] bytes) {
      return get.apply(Samples.value(Serdes.record(type), bytes));
    }

    String schema() {
      return Serdes.record(type).schema();
    }

    /// Returns what gives the bytes of a value as written for another kind; empty if nothing does.
    Optional<Supplier<byte[]>> writes(Kind<?> older, @Nullable Object value) {
      return Serdes.record(type)
          .writingAs(older.schema())
          .map(serde -> () -> Samples.bytes(serde, make.apply(value)));
    }

    boolean boxed() {
      return name.startsWith("boxed ");
    }

    String unboxed() {
      return name.substring(name.indexOf(' ') + 1);
    }
  }

  private static final List<Byte> BYTES = List.of((byte) 0, (byte) 1, Byte.MIN_VALUE, (byte) 127);
  private static final List<Short> SHORTS = List.of((short) 0, (short) -1, Short.MIN_VALUE);
  private static final List<Integer> INTS = List.of(0, 7, Integer.MIN_VALUE, Integer.MAX_VALUE);
  private static final List<Long> LONGS = List.of(0L, -9L, Long.MIN_VALUE, Long.MAX_VALUE);
  private static final List<Float> FLOATS =
      List.of(0f, -0f, 1.5f, Float.MIN_VALUE, Float.NaN, Float.NEGATIVE_INFINITY);
  private static final List<Double> DOUBLES = List.of(0.0, -0.0, 1e300, Double.NaN);
  private static final List<Boolean> BOOLEANS = List.of(false, true);
  private static final List<Character> CHARS = List.of('\0', 'x', Character.MAX_VALUE);

  private static final List<Kind<?>> KINDS =
      List.of(
          new Kind<>("byte", OfByte.class, BYTES, v -> new OfByte((Byte) v), OfByte::n),
          new Kind<>("short", OfShort.class, SHORTS, v -> new OfShort((Short) v), OfShort::n),
          new Kind<>("int", OfInt.class, INTS, v -> new OfInt((Integer) v), OfInt::n),
          new Kind<>("long", OfLong.class, LONGS, v -> new OfLong((Long) v), OfLong::n),
          new Kind<>("float", OfFloat.class, FLOATS, v -> new OfFloat((Float) v), OfFloat::n),
          new Kind<>("double", OfDouble.class, DOUBLES, v -> new OfDouble((Double) v), OfDouble::n),
          new Kind<>(
              "boolean", OfBoolean.class, BOOLEANS, v -> new OfBoolean((Boolean) v), OfBoolean::n),
          new Kind<>("char", OfChar.class, CHARS, v -> new OfChar((Character) v), OfChar::n),
          new Kind<>(
              "boxed byte",
              OfBoxedByte.class,
              BYTES,
              v -> new OfBoxedByte((Byte) v),
              OfBoxedByte::n),
          new Kind<>(
              "boxed short",
              OfBoxedShort.class,
              SHORTS,
              v -> new OfBoxedShort((Short) v),
              OfBoxedShort::n),
          new Kind<>(
              "boxed int", OfBoxedInt.class, INTS, v -> new OfBoxedInt((Integer) v), OfBoxedInt::n),
          new Kind<>(
              "boxed long",
              OfBoxedLong.class,
              LONGS,
              v -> new OfBoxedLong((Long) v),
              OfBoxedLong::n),
          new Kind<>(
              "boxed float",
              OfBoxedFloat.class,
              FLOATS,
              v -> new OfBoxedFloat((Float) v),
              OfBoxedFloat::n),
          new Kind<>(
              "boxed double",
              OfBoxedDouble.class,
              DOUBLES,
              v -> new OfBoxedDouble((Double) v),
              OfBoxedDouble::n),
          new Kind<>(
              "boxed boolean",
              OfBoxedBoolean.class,
              BOOLEANS,
              v -> new OfBoxedBoolean((Boolean) v),
              OfBoxedBoolean::n),
          new Kind<>(
              "boxed char",
              OfBoxedChar.class,
              CHARS,
              v -> new OfBoxedChar((Character) v),
              OfBoxedChar::n));

  /// What Java widens without loss, within whole numbers and within others.
  private static final Map<String, Set<String>> WIDER =
      Map.of(
          "byte", Set.of("byte", "short", "int", "long"),
          "short", Set.of("short", "int", "long"),
          "int", Set.of("int", "long"),
          "long", Set.of("long"),
          "float", Set.of("float", "double"),
          "double", Set.of("double"),
          "boolean", Set.of("boolean"),
          "char", Set.of("char"));

  private static @Nullable Object widened(@Nullable Object value, String type) {
    if (value == null) {
      return null;
    }
    return switch (type) {
      case "short" -> ((Number) value).shortValue();
      case "int" -> ((Number) value).intValue();
      case "long" -> ((Number) value).longValue();
      case "double" -> ((Number) value).doubleValue();
      default -> value;
    };
  }

  @Test
  void aNumberIsReadAsAWiderOneAndAsOneThatMayBeNull() {
    int read = 0;
    for (Kind<?> from : KINDS) {
      for (Kind<?> to : KINDS) {
        boolean fits =
            Objects.requireNonNull(WIDER.get(from.unboxed())).contains(to.unboxed())
                && (to.boxed() || !from.boxed());
        String what = from.name() + " as " + to.name();
        assertEquals(
            fits,
            Serdes.obstacle(Serdes.record(to.type()), from.schema()).equals(Optional.empty()),
            what);
        List<@Nullable Object> values = new ArrayList<>(from.values());
        if (from.boxed()) {
          values.add(null);
        }
        for (Object value : values) {
          byte[] bytes = from.bytes(value);
          if (fits) {
            assertEquals(widened(value, to.unboxed()), to.read(bytes), what + ": " + value);
            read++;
          } else {
            assertThrows(SerdeException.class, () -> to.read(bytes), what + ": " + value);
          }
        }
      }
    }
    assertEquals(true, read > 150);
  }

  @Test
  void aWiderNumberIsWrittenAsTheNarrowerOneThatAnOlderVersionReads() {
    int written = 0;
    for (Kind<?> older : KINDS) {
      for (Kind<?> now : KINDS) {
        boolean fits =
            Objects.requireNonNull(WIDER.get(older.unboxed())).contains(now.unboxed())
                && (now.boxed() || !older.boxed());
        String what = now.name() + " for " + older.name();
        assertEquals(fits, now.writes(older, null).isPresent(), what);
        if (!fits) {
          continue;
        }
        for (Object value : older.values()) {
          Object wide = widened(value, now.unboxed());
          byte[] bytes = now.writes(older, wide).orElseThrow().get();
          assertEquals(value, older.read(bytes), what + ": " + value);
          assertEquals(wide, now.read(bytes), what + ": " + value);
          written++;
        }
        for (Object value : now.values()) {
          if (tooLarge(value, older)) {
            assertThrows(
                SerdeException.class,
                () -> now.writes(older, value).orElseThrow().get(),
                what + ": " + value);
          }
        }
      }
    }
    assertEquals(true, written > 100, "written: " + written);
  }

  private static boolean tooLarge(Object value, Kind<?> older) {
    double number = value instanceof Number wide ? wide.doubleValue() : 0;
    return switch (older.unboxed()) {
      case "byte" -> number < -128 || number > 127;
      case "short" -> number < -32768 || number > 32767;
      case "int" -> number < Integer.MIN_VALUE || number > Integer.MAX_VALUE;
      case "float" -> Double.isFinite(number) && Math.abs(number) > Float.MAX_VALUE;
      default -> false;
    };
  }
}
