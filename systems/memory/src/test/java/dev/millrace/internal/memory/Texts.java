package dev.millrace.internal.memory;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Records of texts, for tests.
final class Texts {
  private Texts() {}

  /// Appends a record to a batch.
  static void add(RecordBatch batch, @Nullable String key, @Nullable String value) {
    batch.append(batch.size(), 1_000);
    if (key != null) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      batch.key(bytes, 0, bytes.length);
    }
    if (value != null) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      batch.value(bytes, 0, bytes.length);
    }
  }

  /// Returns a batch of one record.
  static RecordBatch one(@Nullable String key, @Nullable String value) {
    RecordBatch batch = RecordBatch.create();
    add(batch, key, value);
    return batch;
  }

  static @Nullable String key(RecordBatch batch, int index) {
    return batch.hasKey(index) ? batch.key(index, new Bytes()).toUtf8() : null;
  }

  static @Nullable String value(RecordBatch batch, int index) {
    return batch.hasValue(index) ? batch.value(index, new Bytes()).toUtf8() : null;
  }

  /// Returns the values of a split that are committed by now.
  static List<String> values(Log log, Split split) {
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split));
    List<String> values = new ArrayList<>();
    try (SplitReader reader = log.reader("test")) {
      reader.add(split, Position.of(offsets.start()));
      long next = offsets.start();
      while (next < offsets.stableEnd()) {
        RecordBatch batch = Objects.requireNonNull(reader.poll(Duration.ZERO));
        for (int i = 0; i < batch.size(); i++) {
          values.add(String.valueOf(value(batch, i)));
        }
        next = batch.nextOffset();
        batch.release();
      }
    }
    return values;
  }
}
