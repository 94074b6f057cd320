package dev.millrace.json;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Types of which equal values are known to give equal texts: records of texts, numbers, times and
/// enums, with lists, maps and optional values of these. Sets are none, since they have no order.
final class CanonicalTypes {
  private static final Set<Class<?>> PLAIN =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          Instant.class,
          Duration.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class);

  /// Keys that come in an order of their own.
  private static final Set<Class<?>> KEYS =
      Set.of(String.class, Integer.class, Long.class, UUID.class, LocalDate.class, Instant.class);

  private final Set<Class<?>> begun = new HashSet<>();

  private CanonicalTypes() {}

  static boolean includes(Type type) {
    return new CanonicalTypes().canonical(type);
  }

  private boolean canonical(Type type) {
    return switch (type) {
      case Class<?> array when array.isArray() -> canonical(array.getComponentType());
      case Class<?> plain when plain.isPrimitive() || plain.isEnum() -> true;
      case Class<?> plain when PLAIN.contains(plain) -> true;
      case Class<?> plain when plain.isRecord() && plain.getTypeParameters().length == 0 ->
          !begun.add(plain) || components(plain);
      case ParameterizedType generic -> canonical(generic);
      case GenericArrayType array -> canonical(array.getGenericComponentType());
      case WildcardType wildcard -> canonical(wildcard.getUpperBounds()[0]);
      default -> false;
    };
  }

  private boolean components(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    return components != null
        && Arrays.stream(components).allMatch(component -> canonical(component.getGenericType()));
  }

  private boolean canonical(ParameterizedType type) {
    Type raw = type.getRawType();
    Type[] arguments = type.getActualTypeArguments();
    if (raw == List.class || raw == Optional.class) {
      return canonical(arguments[0]);
    }
    return raw == Map.class
        && arguments[0] instanceof Class<?> key
        && KEYS.contains(key)
        && canonical(arguments[1]);
  }
}
