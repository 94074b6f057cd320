package dev.millrace.benchmarks.nexmark.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.spi.ExternalSource.Connection;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GeneratorSourceTest {
  private static final int SPLITS = 3;
  private static final Settings SETTINGS =
      new Settings(1, 10_001, 1_000, Instant.ofEpochMilli(5_000));

  private final Generator generator = new Generator(SETTINGS);
  private final Connection source = GeneratorSource.of("events", generator, SPLITS).connect();

  private static Split split(int number) {
    return new Split("events", number);
  }

  /// Reads until nothing comes.
  private List<Long> drain(SplitReader reader) {
    List<Long> numbers = new ArrayList<>();
    while (true) {
      RecordBatch batch = reader.poll(Duration.ZERO);
      if (batch == null) {
        return numbers;
      }
      for (int i = 0; i < batch.size(); i++) {
        long number = Serdes.longs().read(batch.value(i, new Bytes()));
        assertEquals(generator.event(number).timeMillis(), batch.timestamp(i));
        assertEquals(number, batch.offset(i) * SPLITS + batch.split().partition());
        numbers.add(number);
      }
      batch.release();
    }
  }

  @Test
  void theSplitsHaveEachNumberOnce() {
    assertEquals(SPLITS, source.splits());
    try (SplitReader reader = source.reader("test")) {
      for (int i = 0; i < SPLITS; i++) {
        reader.add(split(i), Position.of(0));
      }
      assertEquals(
          LongStream.range(0, SETTINGS.events()).boxed().toList(),
          drain(reader).stream().sorted().toList());
      assertEquals(3_334, reader.endOffset(split(1)));
      assertEquals(3_333, reader.endOffset(split(2)));
    }
  }

  @Test
  void everyPositionLeadsToTheNumbersBehindIt() {
    for (long offset : new long[] {0, 1, 1_999, 2_000, 3_332, 3_333}) {
      try (SplitReader reader = source.reader("test")) {
        reader.add(split(2), Position.of(offset));
        assertEquals(
            LongStream.range(offset, 3_333).map(each -> each * SPLITS + 2).boxed().toList(),
            drain(reader));
      }
    }
  }

  @Test
  void aPositionBehindTheEndIsRefused() {
    try (SplitReader reader = source.reader("test")) {
      var thrown = assertThrows(LogException.class, () -> reader.add(split(2), Position.of(3_334)));
      assertEquals(
          "Split events-2 was read to 3,334 and has only 3,333 events. Generate as many as before.",
          thrown.getMessage());
      assertThrows(LogException.class, () -> reader.add(split(3), Position.of(0)));
    }
  }

  @Test
  void aPausedSplitGivesNothingUntilItGoesOn() {
    try (SplitReader reader = source.reader("test")) {
      reader.add(split(0), Position.of(3_300));
      reader.add(split(1), Position.of(3_330));
      reader.pause(split(0));
      assertEquals(4, drain(reader).size());
      assertNull(reader.poll(Duration.ofMillis(1)));
      reader.resume(split(0));
      assertEquals(34, drain(reader).size());
      reader.remove(split(1));
      reader.add(split(1), Position.of(3_333));
      assertEquals(1, drain(reader).size());
    }
  }

  @Test
  void offsetsOfTimesAreThoseOfTheFirstEventThatIsNotEarlier() {
    Map<Split, Long> found =
        source.offsetsAt(List.of(split(0), split(1)), Instant.ofEpochMilli(5_000 + 4));
    assertEquals(Map.of(split(0), 2L, split(1), 1L), found);
  }
}
