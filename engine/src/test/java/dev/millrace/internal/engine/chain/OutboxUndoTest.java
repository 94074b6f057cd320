package dev.millrace.internal.engine.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What was added since a mark can be removed again, whatever became full meanwhile.
class OutboxUndoTest {
  private static final int SEEDS = 300;
  private static final int PARTITIONS = 3;

  /// Small batches, so that many become full.
  private final Outbox outbox = new Outbox("changelog", 16 * 200);

  /// What it must hold or have given away, by split.
  private final Map<Split, List<String>> expected = new HashMap<>();

  private final Map<Split, List<String>> given = new HashMap<>();
  private final List<RecordBatch> held = new ArrayList<>();

  @Test
  void whatWasAddedSinceAMarkIsRemoved() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      run(new Random(seed));
    }
  }

  private void run(Random random) {
    outbox.add("changelog", 1);
    outbox.add("a", PARTITIONS);
    outbox.add("b", PARTITIONS);
    expected.clear();
    given.clear();
    for (int step = 0; step < 40; step++) {
      outbox.mark();
      Map<Split, List<String>> before = copy(expected);
      for (int i = random.nextInt(60); i > 0; i--) {
        append(random, step + "-" + i);
      }
      if (random.nextBoolean()) {
        if (random.nextBoolean()) { // a record that is not complete
          outbox.append("a", 0, 0).data().writeByte(7);
        }
        outbox.undo();
        expected.clear();
        expected.putAll(before);
      }
      if (random.nextInt(4) == 0) {
        take(outbox.takeFull());
      }
      if (random.nextInt(8) == 0) {
        held.forEach(RecordBatch::release);
        held.clear();
      }
    }
    take(outbox.drain());
    held.forEach(RecordBatch::release);
    held.clear();
    assertEquals(expected, given);
    assertEquals(0, outbox.bytes());
  }

  private void append(Random random, String value) {
    String stream = random.nextBoolean() ? "a" : "b";
    int partition = random.nextInt(PARTITIONS);
    RecordBatch batch = outbox.append(stream, partition, 0);
    byte[] bytes = value.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    batch.value(bytes, 0, bytes.length);
    expected.computeIfAbsent(new Split(stream, partition), _ -> new ArrayList<>()).add(value);
  }

  private void take(List<RecordBatch> batches) {
    for (RecordBatch batch : batches) {
      List<String> values = given.computeIfAbsent(batch.split(), _ -> new ArrayList<>());
      for (int i = 0; i < batch.size(); i++) {
        values.add(batch.value(i, new Bytes()).toUtf8());
      }
      assertEquals(batch.size(), batch.nextOffset());
      held.add(batch);
    }
  }

  private static Map<Split, List<String>> copy(Map<Split, List<String>> map) {
    Map<Split, List<String>> copy = new HashMap<>();
    map.forEach((split, values) -> copy.put(split, new ArrayList<>(values)));
    return copy;
  }
}
