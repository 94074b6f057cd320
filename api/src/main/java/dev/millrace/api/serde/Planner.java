package dev.millrace.api.serde;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Finds the codec of a type, in the value form and in the key form. One planner serves one
/// question.
final class Planner {
  private static final Map<Class<?>, Scalar<?>> SCALARS = new HashMap<>();

  static {
    for (Primitive primitive : Primitive.values()) {
      SCALARS.put(primitive.type, primitive.scalar);
    }
    SCALARS.put(Boolean.class, NumberScalars.BOOLEAN);
    SCALARS.put(Byte.class, NumberScalars.BYTE);
    SCALARS.put(Short.class, NumberScalars.SHORT);
    SCALARS.put(Character.class, NumberScalars.CHAR);
    SCALARS.put(Integer.class, NumberScalars.INT);
    SCALARS.put(Long.class, NumberScalars.LONG);
    SCALARS.put(Float.class, NumberScalars.FLOAT);
    SCALARS.put(Double.class, NumberScalars.DOUBLE);
    SCALARS.put(String.class, TextScalars.STRING);
    SCALARS.put(byte[].class, TextScalars.BYTE_ARRAY);
    SCALARS.put(Bytes.class, TextScalars.COPIED_BYTES);
    SCALARS.put(UUID.class, TextScalars.UUID);
    SCALARS.put(Instant.class, TimeScalars.INSTANT);
    SCALARS.put(Duration.class, TimeScalars.DURATION);
    SCALARS.put(LocalDate.class, TimeScalars.LOCAL_DATE);
    SCALARS.put(LocalTime.class, TimeScalars.LOCAL_TIME);
    SCALARS.put(LocalDateTime.class, TimeScalars.LOCAL_DATE_TIME);
    SCALARS.put(BigInteger.class, BigScalars.BIG_INTEGER);
    SCALARS.put(BigDecimal.class, BigScalars.BIG_DECIMAL);
  }

  private final MethodHandles.@Nullable Lookup lookup;
  private final Map<ResolvedType, Codec<?>> begun = new HashMap<>();
  private final Deque<String> place = new ArrayDeque<>();
  private final Deque<ResolvedType> keysInside = new ArrayDeque<>();

  /// @param lookup reaches the records; null if their packages are open to this module
  Planner(MethodHandles.@Nullable Lookup lookup) {
    this.lookup = lookup;
  }

  /// The scalar of a type, null if it has parts.
  static @Nullable Scalar<?> scalar(Class<?> type) {
    Scalar<?> scalar = SCALARS.get(type);
    return scalar == null && type.isEnum() ? enumeration(type) : scalar;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the class was found to be one of an enum
  private static Scalar<?> enumeration(Class<?> type) {
    return new EnumScalar(type);
  }

  Codec<?> value(ResolvedType type) {
    Class<?> raw = type.raw();
    Scalar<?> scalar = scalar(raw);
    if (scalar != null) {
      return scalar;
    }
    Codec<?> known = begun.get(type);
    if (known != null) {
      return known;
    }
    if (raw.isRecord()) {
      return record(type);
    }
    if (raw.isSealed()) {
      return sealed(type);
    }
    if (raw.isArray()) {
      return array(raw.getComponentType(), type);
    }
    if (raw == List.class) {
      return new ListCodec<>(value(type.arguments().getFirst()));
    }
    if (raw == Set.class) {
      return new SetCodec<>(value(type.arguments().getFirst()));
    }
    if (raw == Optional.class) {
      return new OptionalCodec<>(value(type.arguments().getFirst()));
    }
    if (raw == Map.class) {
      return new MapCodec<>(value(type.arguments().get(0)), value(type.arguments().get(1)));
    }
    throw unsupported(
        type,
        "; supported are records, sealed interfaces of records, enums, primitives and their boxes, "
            + "String, byte[], Bytes, UUID, BigInteger, BigDecimal, Instant, Duration, LocalDate, "
            + "LocalTime, LocalDateTime, and List, Set, Map, Optional and arrays of these");
  }

  private Codec<?> array(Class<?> component, ResolvedType type) {
    return component.isPrimitive()
        ? new PrimitiveArrayCodec(Primitive.of(component))
        : referenceArray(component, value(type.arguments().getFirst()));
  }

  @SuppressWarnings("unchecked") // the codec was found for this class
  private static <E> Codec<?> referenceArray(Class<E> component, Codec<?> element) {
    return new ArrayCodec<>(component, (Codec<E>) element);
  }

  private RecordCodec<?> record(ResolvedType type) {
    RecordComponent[] components = RecordShape.components(type.raw());
    List<String> arguments =
        type.arguments().stream().map(argument -> value(argument).id()).toList();
    RecordCodec<?> codec = new RecordCodec<>("record:" + type.nameWith(arguments), shape(type));
    begun.put(type, codec);
    Codec<?>[] codecs = new Codec<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      enter(components[i], type);
      codecs[i] = value(resolve(type, components[i]));
      place.removeLast();
    }
    codec.link(codecs);
    return codec;
  }

  private Codec<?> sealed(ResolvedType type) {
    if (!type.arguments().isEmpty()) {
      throw unsupported(type, ": a sealed interface with type parameters");
    }
    SealedCodec<?> codec = new SealedCodec<>(type.raw());
    begun.put(type, codec);
    List<Class<?>> options = new ArrayList<>();
    collectOptions(type.raw(), options);
    for (Class<?> option : options) {
      if (!option.isRecord()) {
        throw unsupported(type, ": it permits " + option.getName() + ", which is no record");
      }
      codec.add((RecordCodec<?>) value(ResolvedType.of(option)));
    }
    return codec;
  }

  private static void collectOptions(Class<?> sealed, List<Class<?>> options) {
    for (Class<?> permitted : Objects.requireNonNull(sealed.getPermittedSubclasses())) {
      if (permitted.isSealed()) {
        collectOptions(permitted, options);
      } else if (!options.contains(permitted)) {
        options.add(permitted);
      }
    }
  }

  KeyCodec<?> key(ResolvedType type) {
    Scalar<?> scalar = scalar(type.raw());
    if (scalar != null) {
      return new ScalarKey<>(scalar);
    }
    if (keysInside.contains(type)) {
      throw unsupported(type, " in a key, since it contains itself");
    }
    keysInside.addLast(type);
    KeyCodec<?> codec;
    if (type.raw().isRecord()) {
      codec = recordKey(type);
    } else if (type.raw() == Optional.class) {
      codec = new OptionalKey<>(key(type.arguments().getFirst()));
    } else if (type.raw() == List.class) {
      codec = new ListKey<>(key(type.arguments().getFirst()));
    } else {
      throw unsupported(
          type,
          " in a key; supported are records, enums, primitives and their boxes, String, byte[], "
              + "Bytes, UUID, BigInteger, BigDecimal, Instant, Duration, LocalDate, LocalTime, "
              + "LocalDateTime, and List and Optional of these");
    }
    keysInside.removeLast();
    return codec;
  }

  private KeyCodec<?> recordKey(ResolvedType type) {
    RecordComponent[] components = RecordShape.components(type.raw());
    List<String> arguments = type.arguments().stream().map(argument -> key(argument).id()).toList();
    KeyCodec<?>[] codecs = new KeyCodec<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      enter(components[i], type);
      codecs[i] = key(resolve(type, components[i]));
      place.removeLast();
    }
    return new RecordKey<>("record:" + type.nameWith(arguments), shape(type), codecs);
  }

  private RecordShape shape(ResolvedType type) {
    return RecordShape.of(type.raw(), lookup);
  }

  private void enter(RecordComponent component, ResolvedType type) {
    place.addLast(type.raw().getSimpleName() + "." + component.getName());
  }

  private ResolvedType resolve(ResolvedType type, RecordComponent component) {
    try {
      return type.resolve(component.getGenericType());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + where(), e);
    }
  }

  private IllegalArgumentException unsupported(ResolvedType type, String why) {
    return new IllegalArgumentException("There is no serde for " + type + where() + why);
  }

  private String where() {
    return place.isEmpty() ? "" : " (component " + String.join(", ", place) + ")";
  }
}
