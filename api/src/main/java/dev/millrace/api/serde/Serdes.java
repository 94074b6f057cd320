package dev.millrace.api.serde;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The serdes that come with Millrace.
///
/// ```java
/// Kafka.source("orders").key(Serdes.string()).value(Serdes.record(Order.class))
/// ```
///
/// **Simple values** ([#string], [#longs], [#instant] …) are canonical and ordered: equal values
/// give equal bytes, and the unsigned order of the bytes is the natural order of the values.
/// Integers are big-endian with the sign bit flipped, unlike Kafka's own ([#kafkaLong] …), which
/// are not ordered.
///
/// **Records** ([#record]) and what is made of them are canonical but not ordered, and they evolve:
/// components may be added, removed and moved between two versions of a program, and either reads
/// what the other wrote. A component the bytes do not have is null, zero or false, an empty
/// [Optional], [List], [Set] or [Map]; a record that wants another default sets it in its canonical
/// constructor. Not possible are another type for a component of the same name, and renaming, which
/// is removing one and adding another. Between versions, constants of an enum and records of a
/// sealed interface may be added and moved, but not removed while the bytes may have them.
/// [#obstacle] says what is in the way.
///
/// **Keys** ([#orderedRecord], [#keyForType]) are canonical and ordered by the first component,
/// then the second and so on, and keys that begin with equal components begin with equal bytes.
/// They do not evolve: what a key is made of cannot change.
///
/// All serdes here can be shared by threads. What is read is immutable and independent of the
/// bytes, but for [#view] and arrays. Sets and maps are read in the order of their bytes, whatever
/// order the written ones had. Malformed bytes give a [SerdeException] and take no more memory than
/// a small multiple of their length.
public final class Serdes {
  private static final ClassValue<Serde<?>> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected Serde<?> computeValue(Class<?> type) {
          return plan(type, null);
        }
      };

  private static final ClassValue<Serde<?>> KEYS_BY_CLASS =
      new ClassValue<>() {
        @Override
        protected Serde<?> computeValue(Class<?> type) {
          return planKey(type, null);
        }
      };

  private static final Serde<String> STRING = new PlannedSerde.OfScalar<>(TextScalars.STRING);
  private static final Serde<byte[]> BYTES = new PlannedSerde.OfScalar<>(TextScalars.BYTE_ARRAY);
  private static final Serde<UUID> UUIDS = new PlannedSerde.OfScalar<>(TextScalars.UUID);
  private static final Serde<Boolean> BOOLEANS = new PlannedSerde.OfScalar<>(NumberScalars.BOOLEAN);
  private static final Serde<Byte> BYTE_VALUES = new PlannedSerde.OfScalar<>(NumberScalars.BYTE);
  private static final Serde<Short> SHORTS = new PlannedSerde.OfScalar<>(NumberScalars.SHORT);
  private static final Serde<Character> CHARS = new PlannedSerde.OfScalar<>(NumberScalars.CHAR);
  private static final Serde<Integer> INTS = new PlannedSerde.OfScalar<>(NumberScalars.INT);
  private static final Serde<Long> LONGS = new PlannedSerde.OfLong();
  private static final Serde<Float> FLOATS = new PlannedSerde.OfScalar<>(NumberScalars.FLOAT);
  private static final Serde<Double> DOUBLES = new PlannedSerde.OfScalar<>(NumberScalars.DOUBLE);
  private static final Serde<Instant> INSTANT = new PlannedSerde.OfScalar<>(TimeScalars.INSTANT);
  private static final Serde<Duration> DURATION = new PlannedSerde.OfScalar<>(TimeScalars.DURATION);
  private static final Serde<LocalDate> LOCAL_DATE =
      new PlannedSerde.OfScalar<>(TimeScalars.LOCAL_DATE);
  private static final Serde<LocalTime> LOCAL_TIME =
      new PlannedSerde.OfScalar<>(TimeScalars.LOCAL_TIME);
  private static final Serde<LocalDateTime> LOCAL_DATE_TIME =
      new PlannedSerde.OfScalar<>(TimeScalars.LOCAL_DATE_TIME);
  private static final Serde<BigInteger> BIG_INTEGER =
      new PlannedSerde.OfScalar<>(BigScalars.BIG_INTEGER);
  private static final Serde<BigDecimal> BIG_DECIMAL =
      new PlannedSerde.OfScalar<>(BigScalars.BIG_DECIMAL);

  private Serdes() {}

  /// Returns a serde of texts in UTF-8, and nothing else: malformed UTF-8 is refused when read, an
  /// unpaired surrogate when written. The order is that of the code points, which differs from
  /// [String#compareTo] only where characters above U+FFFF meet characters from U+E000 on.
  public static Serde<String> string() {
    return STRING;
  }

  /// Returns a serde of any bytes, as an array. The order is unsigned.
  public static Serde<byte[]> bytes() {
    return BYTES;
  }

  /// Returns a serde of views over the bytes of a record, without a copy. A view is the one value
  /// of Millrace that does not stay valid: it is valid while its record is passed from function to
  /// function within a task, until the next exchange or operator that keeps records. A function
  /// that keeps a view elsewhere copies it before, with [Bytes#copy]. Operators and stores copy a
  /// value that is a view; they do not see a view inside an object of the application. Inside
  /// [#listOf] and the others here it is a copy, as is a [Bytes] of a [#record].
  public static Serde<Bytes> view() {
    return ViewSerde.INSTANCE;
  }

  /// Returns a serde with 16 bytes, the two halves each with the sign bit flipped: in the order of
  /// [UUID#compareTo].
  public static Serde<UUID> uuid() {
    return UUIDS;
  }

  /// Returns a serde with one byte, 0 or 1, which is also Kafka's.
  public static Serde<Boolean> booleans() {
    return BOOLEANS;
  }

  /// Returns a serde with one byte, with the sign bit flipped.
  public static Serde<Byte> byteValues() {
    return BYTE_VALUES;
  }

  /// Returns a serde with 2 bytes, big-endian with the sign bit flipped.
  public static Serde<Short> shorts() {
    return SHORTS;
  }

  /// Returns a serde with 2 bytes, big-endian.
  public static Serde<Character> chars() {
    return CHARS;
  }

  /// Returns a serde with 4 bytes, big-endian with the sign bit flipped.
  public static Serde<Integer> ints() {
    return INTS;
  }

  /// Returns a serde with 8 bytes, big-endian with the sign bit flipped.
  public static Serde<Long> longs() {
    return LONGS;
  }

  /// Returns a serde with 4 bytes in the order of [Float#compare]: -0.0 before 0.0, NaN last; all
  /// NaN are one.
  public static Serde<Float> floats() {
    return FLOATS;
  }

  /// Returns a serde with 8 bytes in the order of [Double#compare]: -0.0 before 0.0, NaN last; all
  /// NaN are one.
  public static Serde<Double> doubles() {
    return DOUBLES;
  }

  /// Returns a serde with 8 bytes, the nanoseconds since 1970, between the years 1677 and 2262, and
  /// 20 bytes outside of them.
  public static Serde<Instant> instant() {
    return INSTANT;
  }

  /// Returns a serde with 8 bytes, the nanoseconds, up to 292 years, and 20 bytes beyond.
  public static Serde<Duration> duration() {
    return DURATION;
  }

  /// Returns a serde with 8 bytes, the days since 1970-01-01.
  public static Serde<LocalDate> localDate() {
    return LOCAL_DATE;
  }

  /// Returns a serde with 8 bytes, the nanoseconds since midnight.
  public static Serde<LocalTime> localTime() {
    return LOCAL_TIME;
  }

  /// Returns a serde with 16 bytes: date and time.
  public static Serde<LocalDateTime> localDateTime() {
    return LOCAL_DATE_TIME;
  }

  /// Returns a serde with 4 bytes of length and sign, then two's complement.
  public static Serde<BigInteger> bigInteger() {
    return BIG_INTEGER;
  }

  /// Returns a serde that keeps the scale: 1.0 and 1.00 are read as they were written and, though
  /// they compare as equal, are two keys, next to each other.
  public static Serde<BigDecimal> bigDecimal() {
    return BIG_DECIMAL;
  }

  /// Returns a serde with 2 bytes, the constant's position, in the order of the enum. New constants
  /// are added at its end; as a component of a [#record] an enum is written by name and has no such
  /// rule.
  public static <E extends Enum<E>> Serde<E> enumeration(Class<E> type) {
    return new PlannedSerde.OfScalar<>(new EnumScalar<>(type));
  }

  /// Returns a serde of lists; null elements are refused.
  public static <E> Serde<List<E>> listOf(Serde<E> element) {
    return new PlannedSerde.OfContent<>(new ListCodec<>(codecOf(element)));
  }

  /// Returns a serde of sets, written in the order of the elements' bytes; null elements are
  /// refused.
  public static <E> Serde<Set<E>> setOf(Serde<E> element) {
    return new PlannedSerde.OfContent<>(new SetCodec<>(codecOf(element)));
  }

  /// Returns a serde of maps, written in the order of the keys' bytes; null keys and values are
  /// refused.
  public static <K, V> Serde<Map<K, V>> mapOf(Serde<K> key, Serde<V> value) {
    return new PlannedSerde.OfContent<>(new MapCodec<>(codecOf(key), codecOf(value)));
  }

  /// Returns a serde of values that may be missing.
  public static <E> Serde<Optional<E>> optional(Serde<E> element) {
    return new PlannedSerde.OfContent<>(new OptionalCodec<>(codecOf(element)));
  }

  /// Returns a serde of a record, in the form that evolves.
  ///
  /// A component may be of any type that [#forType] knows, also null unless it is a primitive.
  ///
  /// @throws IllegalArgumentException if a component's type is none of these, or the class is in a
  ///   module that does not open its package; the message names the component
  public static <R extends Record> Serde<R> record(Class<R> type) {
    return cast(BY_CLASS.get(type));
  }

  /// Returns a serde of a record, in the form that evolves, whose package only its own module can
  /// reach.
  ///
  /// @param lookup made by that module with [MethodHandles#lookup]
  public static <R extends Record> Serde<R> record(Class<R> type, MethodHandles.Lookup lookup) {
    return cast(plan(type, lookup));
  }

  /// Returns a serde of a record as a key: canonical and ordered by its components from the first
  /// on. Null components are refused; [Optional] components may be empty.
  ///
  /// @throws IllegalArgumentException as [#keyForType]
  public static <R extends Record> Serde<R> orderedRecord(Class<R> type) {
    return cast(KEYS_BY_CLASS.get(type));
  }

  /// Returns a serde of a record as a key, whose package only its own module can reach.
  ///
  /// @param lookup made by that module with [MethodHandles#lookup]
  public static <R extends Record> Serde<R> orderedRecord(
      Class<R> type, MethodHandles.Lookup lookup) {
    return cast(planKey(type, lookup));
  }

  /// Returns the serde of a type, for values: records, sealed interfaces of records, enums,
  /// primitives and their boxes, String, byte[], [Bytes], UUID, BigInteger, BigDecimal, Instant,
  /// Duration, LocalDate, LocalTime, LocalDateTime, and List, Set, Map, Optional and arrays of
  /// these. For what has no parts it is the same as the one of the method above, so it is ordered.
  ///
  /// @throws IllegalArgumentException if there is none; the message says of what type and where
  public static Serde<?> forType(Type type) {
    return type instanceof Class<?> plain ? BY_CLASS.get(plain) : plan(type, null);
  }

  /// Returns the serde of a type, for values, with the type known to the compiler.
  public static <T> Serde<T> forType(TypeRef<T> type) {
    return cast(forType(type.type()));
  }

  /// Returns the serde of a type, for keys: canonical and ordered, without evolution. Lists are
  /// ordered by their first elements that differ.
  ///
  /// @throws IllegalArgumentException if there is none: of what [#forType] knows, sealed
  ///   interfaces, sets, maps, arrays but byte[], and records that contain themselves cannot be
  ///   keys
  public static Serde<?> keyForType(Type type) {
    return type instanceof Class<?> plain ? KEYS_BY_CLASS.get(plain) : planKey(type, null);
  }

  /// Returns the serde of a type, for keys, with the type known to the compiler.
  public static <T> Serde<T> keyForType(TypeRef<T> type) {
    return cast(keyForType(type.type()));
  }

  /// Returns a serde with 2 bytes, as Kafka's ShortSerializer writes them; not ordered.
  public static Serde<Short> kafkaShort() {
    return KafkaNumber.SHORT;
  }

  /// Returns a serde with 4 bytes, as Kafka's IntegerSerializer writes them; not ordered.
  public static Serde<Integer> kafkaInteger() {
    return KafkaNumber.INTEGER;
  }

  /// Returns a serde with 8 bytes, as Kafka's LongSerializer writes them; not ordered.
  public static Serde<Long> kafkaLong() {
    return KafkaNumber.LONG;
  }

  /// Returns a serde with 4 bytes, as Kafka's FloatSerializer writes them, but every NaN as the
  /// same; not ordered.
  public static Serde<Float> kafkaFloat() {
    return KafkaNumber.FLOAT;
  }

  /// Returns a serde with 8 bytes, as Kafka's DoubleSerializer writes them; not ordered.
  public static Serde<Double> kafkaDouble() {
    return KafkaNumber.DOUBLE;
  }

  /// Returns a serde that writes values as one version of their type, and reads those of earlier
  /// versions, which [VersionedSerde#from] names, through functions.
  ///
  /// ```java
  /// record Money(long cents) {}
  /// Serde<Money> prices =
  ///     Serdes.version(2, Serdes.record(Money.class)).from(1, Serdes.longs(), Money::new);
  /// ```
  ///
  /// @param version from 2 to 255; values that were written without a version are version 1
  /// @throws IllegalArgumentException if it is another number
  public static <T> VersionedSerde<T> version(int version, Serde<T> serde) {
    return new VersionedSerde<>(version, serde);
  }

  /// Returns why a serde cannot read what was written under a schema, in words for the user; empty
  /// if it can.
  public static Optional<String> obstacle(Serde<?> serde, String writtenSchema) {
    if (serde instanceof PlannedSerde<?> planned) {
      return planned.obstacle(writtenSchema);
    }
    if (serde instanceof VersionedSerde<?> versioned) {
      return versioned.obstacle(writtenSchema);
    }
    return serde.canRead(writtenSchema)
        ? Optional.empty()
        : Optional.of(
            "it was written as " + writtenSchema + " and would be read as " + serde.schema());
  }

  private static <T> Codec<T> codecOf(Serde<T> serde) {
    return switch (serde) {
      case PlannedSerde.OfScalar<T> scalar -> scalar.scalar();
      case PlannedSerde.OfContent<T> content -> content.codec();
      case PlannedSerde.OfOlder<T> older -> codecOf(older.writer());
      case ViewSerde _ -> copied();
      default -> new ForeignCodec<>(serde);
    };
  }

  /// Nobody would know how long a view inside another value is valid.
  @SuppressWarnings("unchecked") // of views, so T is Bytes
  private static <T> Codec<T> copied() {
    return (Codec<T>) TextScalars.COPIED_BYTES;
  }

  private static Serde<?> plan(Type type, MethodHandles.@Nullable Lookup lookup) {
    return serdeOf(new Planner(lookup).value(ResolvedType.of(type)));
  }

  private static <T> Serde<T> serdeOf(Codec<T> codec) {
    return switch (codec) {
      case Scalar<T> scalar -> ofScalar(scalar);
      case ContentCodec<T> content -> new PlannedSerde.OfContent<>(content);
      default -> throw new AssertionError("planned codecs are scalars or have content");
    };
  }

  private static Serde<?> planKey(Type type, MethodHandles.@Nullable Lookup lookup) {
    ResolvedType resolved = ResolvedType.of(type);
    Scalar<?> scalar = Planner.scalar(resolved.raw());
    return scalar == null
        ? new PlannedSerde.OfKey<>(new Planner(lookup).key(resolved))
        : ofScalar(scalar);
  }

  private static <T> Serde<T> ofScalar(Scalar<T> scalar) {
    return scalar.code() == TypeCode.LONG ? cast(LONGS) : new PlannedSerde.OfScalar<>(scalar);
  }

  @SuppressWarnings("unchecked") // the serde was planned for T
  private static <T> Serde<T> cast(Serde<?> serde) {
    return (Serde<T>) serde;
  }
}
