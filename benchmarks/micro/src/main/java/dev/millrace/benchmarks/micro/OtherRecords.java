package dev.millrace.benchmarks.micro;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Records of other shapes, so that shared code has seen more than one type.
final class OtherRecords {
  record Click(String page, long at, Optional<String> user) {}

  record Reading(UUID sensor, float value, short quality, byte flags) {}

  record Trip(List<String> stops, Duration length, LocalDate day, char line) {}

  record Transfer(long from, long to, long cents, boolean booked) {}

  record Nested(Click click, Transfer transfer) {}

  private static final List<Record> ALL =
      List.of(
          new Click("/start", 17, Optional.of("ann")),
          new Reading(new UUID(3, 4), 1.5f, (short) 7, (byte) 1),
          new Trip(List.of("a", "b"), Duration.ofMinutes(3), LocalDate.of(2026, 1, 2), 'U'),
          new Transfer(1, 2, 300, true),
          new Nested(new Click("/end", 18, Optional.empty()), new Transfer(3, 4, 1, false)));

  private OtherRecords() {}

  /// Writes and reads each so often.
  static void use(int times) {
    for (Record each : ALL) {
      use(each, times);
    }
  }

  @SuppressWarnings("unchecked") // the serde is that of the record's class
  private static <R extends Record> void use(R record, int times) {
    Serde<R> serde = Serdes.record((Class<R>) record.getClass());
    BytesWriter out = new BytesWriter();
    Bytes view = new Bytes();
    for (int i = 0; i < times; i++) {
      serde.write(record, out.clear());
      if (!serde.read(out.view(view, 0)).equals(record)) {
        throw new IllegalStateException("It was read as another: " + record);
      }
    }
  }
}
