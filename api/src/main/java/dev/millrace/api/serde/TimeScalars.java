package dev.millrace.api.serde;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoField;
import java.util.function.Supplier;

/// Points and lengths of time, all in their natural order.
final class TimeScalars {
  static final Scalar<Instant> INSTANT = new InstantScalar();
  static final Scalar<Duration> DURATION = new DurationScalar();
  static final Scalar<LocalDate> LOCAL_DATE = new LocalDateScalar();
  static final Scalar<LocalTime> LOCAL_TIME = new LocalTimeScalar();
  static final Scalar<LocalDateTime> LOCAL_DATE_TIME = new LocalDateTimeScalar();

  private TimeScalars() {}

  private static <T> T checked(String type, Supplier<T> make) {
    try {
      return make.get();
    } catch (DateTimeException e) {
      throw new SerdeException("no " + type + " has this value: " + e.getMessage(), e);
    }
  }

  /// Seconds and nanoseconds of the second, as one number of nanoseconds in 8 bytes: 292 years
  /// around zero. The two ends of that range, eight bytes 00 and eight bytes FF, say that the
  /// seconds and nanoseconds follow apart, in 8 and 4 bytes; so the whole range of both types fits
  /// and sorts.
  private abstract static class NanosScalar<T> extends Scalar<T> {
    private static final long LEAST_SECONDS = -9_223_372_036L;
    private static final long GREATEST_SECONDS = 9_223_372_035L;
    private static final long NANOS_A_SECOND = 1_000_000_000L;

    NanosScalar(TypeCode code) {
      super(code, 0);
    }

    abstract T of(long seconds, long nanos);

    static void writeNanos(long seconds, int nanos, BytesWriter out) {
      if (seconds >= LEAST_SECONDS && seconds <= GREATEST_SECONDS) {
        out.writeLong(seconds * NANOS_A_SECOND + nanos ^ Long.MIN_VALUE);
      } else {
        out.writeLong(seconds < 0 ? 0 : -1);
        out.writeLong(seconds ^ Long.MIN_VALUE);
        out.writeInt(nanos);
      }
    }

    @Override
    T readRaw(BytesReader in) {
      long coded = in.readLong();
      if (coded != 0 && coded != -1) {
        long total = coded ^ Long.MIN_VALUE;
        long seconds = Math.floorDiv(total, NANOS_A_SECOND);
        if (seconds >= LEAST_SECONDS && seconds <= GREATEST_SECONDS) {
          return of(seconds, Math.floorMod(total, NANOS_A_SECOND));
        }
      } else {
        long seconds = in.readLong() ^ Long.MIN_VALUE;
        int nanos = in.readInt();
        boolean outside = coded == 0 ? seconds < LEAST_SECONDS : seconds > GREATEST_SECONDS;
        if (outside && nanos >= 0 && nanos < NANOS_A_SECOND) {
          return checked(code().text, () -> of(seconds, nanos));
        }
      }
      throw new SerdeException(
          "malformed " + code().text + ": seconds or nanoseconds out of range");
    }
  }

  private static final class InstantScalar extends NanosScalar<Instant> {
    InstantScalar() {
      super(TypeCode.INSTANT);
    }

    @Override
    Instant of(long seconds, long nanos) {
      return Instant.ofEpochSecond(seconds, nanos);
    }

    @Override
    void writeRaw(Instant value, BytesWriter out) {
      writeNanos(value.getEpochSecond(), value.getNano(), out);
    }
  }

  private static final class DurationScalar extends NanosScalar<Duration> {
    DurationScalar() {
      super(TypeCode.DURATION);
    }

    @Override
    Duration of(long seconds, long nanos) {
      return Duration.ofSeconds(seconds, nanos);
    }

    @Override
    void writeRaw(Duration value, BytesWriter out) {
      writeNanos(value.getSeconds(), value.getNano(), out);
    }
  }

  /// Raw 8 bytes with the days since 1970-01-01; as a body a number of variable length.
  private static final class LocalDateScalar extends Scalar<LocalDate> {
    LocalDateScalar() {
      super(TypeCode.LOCAL_DATE, 8);
    }

    @Override
    void writeRaw(LocalDate value, BytesWriter out) {
      out.writeLong(value.toEpochDay() ^ Long.MIN_VALUE);
    }

    @Override
    LocalDate readRaw(BytesReader in) {
      long day = in.readLong() ^ Long.MIN_VALUE;
      return checked(code().text, () -> LocalDate.ofEpochDay(day));
    }

    @Override
    void writeBody(LocalDate value, BytesWriter out) {
      NumberScalars.writeZigZag(value.toEpochDay(), out);
    }

    @Override
    LocalDate readBody(BytesReader in) {
      long day = NumberScalars.readZigZag(in, Long.MIN_VALUE, Long.MAX_VALUE, code());
      return checked(code().text, () -> LocalDate.ofEpochDay(day));
    }
  }

  /// The nanoseconds since midnight in 8 bytes.
  private static final class LocalTimeScalar extends Scalar<LocalTime> {
    LocalTimeScalar() {
      super(TypeCode.LOCAL_TIME, 8);
    }

    @Override
    void writeRaw(LocalTime value, BytesWriter out) {
      out.writeLong(value.toNanoOfDay());
    }

    @Override
    LocalTime readRaw(BytesReader in) {
      long nanos = in.readLong();
      return checked(code().text, () -> LocalTime.ofNanoOfDay(nanos));
    }
  }

  /// The date and the time as above, 16 bytes.
  private static final class LocalDateTimeScalar extends Scalar<LocalDateTime> {
    LocalDateTimeScalar() {
      super(TypeCode.LOCAL_DATE_TIME, 16);
    }

    @Override
    void writeRaw(LocalDateTime value, BytesWriter out) {
      LOCAL_DATE.writeRaw(value.toLocalDate(), out);
      out.writeLong(value.getLong(ChronoField.NANO_OF_DAY));
    }

    @Override
    LocalDateTime readRaw(BytesReader in) {
      LocalDate date = LOCAL_DATE.readRaw(in);
      return LocalDateTime.of(date, LOCAL_TIME.readRaw(in));
    }
  }
}
