package dev.millrace.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A key that no operator changes is looked up and written as the bytes that came in: its serde is
/// not asked for anything.
class UnchangedKeysTest {
  private static final List<String> KEYS = List.of("b", "a", "b", "B", "b", "a");

  /// Texts whose case means nothing.
  private static final class CountingSerde implements Serde<String> {
    private final String id;
    private final boolean canonical;
    private int reads;
    private int writes;

    CountingSerde(String id, boolean canonical) {
      this.id = id;
      this.canonical = canonical;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public boolean canonical() {
      return canonical;
    }

    @Override
    public void write(String value, BytesWriter out) {
      writes++;
      Serdes.string().write(value, out);
    }

    @Override
    public String read(Bytes in) {
      reads++;
      return Serdes.string().read(in).toLowerCase(Locale.ROOT);
    }
  }

  @Test
  void countsAreLookedUpAndWrittenUnderTheBytesThatCameIn() {
    CountingSerde keys = new CountingSerde("keys", true);
    List<String> left = run(keys, numbers -> counts(numbers, keys));

    Map<String, Long> counts = new HashMap<>();
    List<String> expected = new ArrayList<>();
    for (String key : KEYS) {
      expected.add(key + "=" + counts.merge(key, 1L, Long::sum));
    }
    assertEquals(expected, left);
    assertEquals(0, keys.reads);
    assertEquals(0, keys.writes);
  }

  @Test
  void aSinkWithKeysInAnotherFormatHasThemReadAndWrittenOnce() {
    CountingSerde keys = new CountingSerde("keys", true);
    CountingSerde others = new CountingSerde("others", true);
    List<String> left = run(keys, numbers -> counts(numbers, others));

    assertEquals(List.of("b=1", "a=1", "b=2", "b=1", "b=3", "a=2"), left);
    assertEquals(KEYS.size(), keys.reads);
    assertEquals(0, keys.writes);
    assertEquals(0, others.reads);
    assertEquals(KEYS.size(), others.writes);
  }

  @Test
  void keysOfTwoFormsPassThroughInTheirForms() {
    CountingSerde keys = new CountingSerde("keys", false);
    List<String> left =
        run(
            keys,
            numbers ->
                numbers
                    .filter(number -> number != 2)
                    .to(Kafka.sink(Pipelines.OUT).key(keys).value(Serdes.longs())));

    assertEquals(List.of("b=0", "a=1", "B=3", "b=4", "a=5"), left);
    assertEquals(0, keys.reads + keys.writes);
  }

  @Test
  void aSerdeThatDoesNotPromiseOneFormIsRefusedWhereFormsWouldBeCountedApart() {
    CountingSerde keys = new CountingSerde("keys", false);
    String message =
        String.valueOf(
            assertThrows(
                    InvalidTopologyException.class,
                    () -> run(keys, numbers -> counts(numbers, keys)))
                .getMessage());
    assertTrue(message.contains("does not promise equal bytes for equal keys"), message);
  }

  private static void counts(KeyedStream<String, Long> numbers, Serde<String> out) {
    numbers
        .groupByKey()
        .count("counts")
        .toStream()
        .to(Kafka.sink(Pipelines.OUT).key(out).value(Serdes.longs()));
  }

  /// What leaves, as `key=value`, when the n-th key comes with the number n.
  private static List<String> run(
      Serde<String> keys, Consumer<KeyedStream<String, Long>> describe) {
    RecordBatch batch = RecordBatch.create().reset(new Split(Pipelines.IN, 0), new byte[0], 0);
    for (int i = 0; i < KEYS.size(); i++) {
      batch.append(i, i);
      int start = batch.data().length();
      Serdes.string().write(KEYS.get(i), batch.data());
      batch.endKey(start);
      start = batch.data().length();
      Serdes.longs().write((long) i, batch.data());
      batch.endValue(start);
    }
    List<String> left = new ArrayList<>();
    try (Running running = new Running(new Application(keys, describe))) {
      running.process(batch);
      Bytes view = new Bytes();
      for (RecordBatch each : running.take()) {
        for (int i = 0; i < each.size(); i++) {
          String key = Serdes.string().read(each.key(i, view));
          left.add(key + "=" + Serdes.longs().read(each.value(i, view)));
        }
        each.release();
      }
    }
    return left;
  }

  private record Application(Serde<String> keys, Consumer<KeyedStream<String, Long>> describe)
      implements StreamApplication {
    @Override
    public String name() {
      return "app";
    }

    @Override
    public void describe(Topology topology) {
      describe.accept(topology.from(Kafka.source(Pipelines.IN).key(keys).value(Serdes.longs())));
    }
  }
}
