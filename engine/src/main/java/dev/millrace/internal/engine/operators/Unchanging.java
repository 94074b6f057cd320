package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Tells of objects of a class whether nobody can change them: all of them, none of them, or, where
/// records hold lists, those whose lists are made by `List.of`, `List.copyOf` or `Stream.toList`.
final class Unchanging {
  private static final List<Class<?>> CONSTANT =
      List.of(
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          String.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          Instant.class,
          Duration.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class);

  /// The classes of lists that cannot be changed, for few elements and for more.
  private static final List<Class<?>> LISTS = List.of(List.of().getClass(), List.of("").getClass());

  private static final Unchanging ALL = new Unchanging(true, List.of());
  private static final Unchanging NONE = new Unchanging(false, List.of());

  private static final ClassValue<Unchanging> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected Unchanging computeValue(Class<?> type) {
          return of(type, new LinkedHashSet<>());
        }
      };

  private final boolean all;

  /// Give those components that decide; empty if all are or none is.
  private final List<Method> deciding;

  private Unchanging(boolean all, List<Method> deciding) {
    this.all = all;
    this.deciding = deciding;
  }

  /// A view counts as one that nobody moves, for an aggregation keeps copies of them; not so one
  /// inside a record.
  static Unchanging of(Class<?> type) {
    return type == Bytes.class ? ALL : BY_CLASS.get(type);
  }

  /// Whether nobody can change any object of the class.
  boolean all() {
    return all;
  }

  /// Whether nobody can change an object of the class.
  boolean is(Object value) {
    for (Method component : deciding) {
      if (!isConstant(get(component, value))) {
        return false;
      }
    }
    return all || !deciding.isEmpty();
  }

  private static boolean isConstant(@Nullable Object value) {
    if (!(value instanceof List<?> list)) {
      return value == null || BY_CLASS.get(value.getClass()).is(value);
    }
    if (!LISTS.contains(list.getClass())) {
      return false;
    }
    for (Object element : list) {
      if (!isConstant(element)) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable Object get(Method component, Object value) {
    try {
      return component.invoke(value);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(
          "The component %s of a %s cannot be read."
              .formatted(component.getName(), value.getClass().getName()),
          e);
    }
  }

  /// @param around the records whose components are being looked at. One that contains itself is
  ///   taken as changing: asking would not end
  private static Unchanging of(Class<?> type, Set<Class<?>> around) {
    if (!type.isRecord()) {
      boolean constant =
          type.isPrimitive()
              || CONSTANT.contains(type)
              || type.isEnum()
              || (type.getSuperclass() != null && type.getSuperclass().isEnum());
      return constant ? ALL : NONE;
    }
    Set<Class<?>> within = new LinkedHashSet<>(around);
    return within.add(type) ? ofRecord(type, within) : NONE;
  }

  private static Unchanging ofRecord(Class<?> type, Set<Class<?>> within) {
    List<Method> deciding = new ArrayList<>();
    for (RecordComponent component : Objects.requireNonNull(type.getRecordComponents())) {
      Unchanging of = of(component.getType(), within);
      if (of.all) {
        continue;
      }
      Method get = component.getAccessor();
      boolean decides = component.getType() == List.class || !of.deciding.isEmpty();
      if (!decides || !get.trySetAccessible()) {
        return NONE;
      }
      deciding.add(get);
    }
    return deciding.isEmpty() ? ALL : new Unchanging(false, List.copyOf(deciding));
  }
}
