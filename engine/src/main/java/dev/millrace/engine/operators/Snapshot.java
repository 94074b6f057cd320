package dev.millrace.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Gives the store an object of its own.
///
/// A folder may change its aggregate in place, and what was emitted waits until the operator
/// returns: without a copy three updates of one key in a batch would show the last state three
/// times. The copy is what the serde reads back, so that a folder meets at its second call what it
/// would meet after a restart, such as a list that cannot be changed. An object that nobody can
/// change stands for itself.
final class Snapshot {
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
          LocalDateTime.class,
          // Never moved: an aggregation keeps copies of views.
          Bytes.class);

  private static final ClassValue<Boolean> UNCHANGING =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return unchanging(type, new LinkedHashSet<>());
        }
      };

  private final Serde<Object> serde;
  private final BytesWriter writer = new BytesWriter();
  private final Bytes view = new Bytes();

  /// The class of the last value that stood for itself.
  private @Nullable Class<?> unchanging;

  Snapshot(Serde<Object> serde) {
    this.serde = serde;
  }

  Object of(Object value) {
    Class<?> type = value.getClass();
    if (type == unchanging) {
      return value;
    }
    if (UNCHANGING.get(type)) {
      unchanging = type;
      return value;
    }
    writer.clear();
    serde.write(value, writer);
    return serde.read(writer.view(view, 0));
  }

  /// @param around the records whose components are being looked at. One that contains itself is
  ///   taken as changing: asking would not end
  private static boolean unchanging(Class<?> type, Set<Class<?>> around) {
    if (!type.isRecord()) {
      return type.isPrimitive()
          || CONSTANT.contains(type)
          || type.isEnum()
          || (type.getSuperclass() != null && type.getSuperclass().isEnum());
    }
    Set<Class<?>> within = new LinkedHashSet<>(around);
    return within.add(type)
        && Arrays.stream(Objects.requireNonNull(type.getRecordComponents()))
            .allMatch(component -> unchanging(component.getType(), within));
  }
}
