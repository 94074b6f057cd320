package dev.millrace.testkit.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchPoolTest {
  private static final Split SPLIT = new Split("in", 0);

  private static RecordBatch take(BatchPool pool) {
    return pool.take(SPLIT, new byte[0], 0);
  }

  @Test
  void whatNobodyUsesIsKeptUpToABound() {
    long one = take(new BatchPool()).memoryBytes();
    BatchPool pool = new BatchPool(2 * one + 1);
    List<RecordBatch> taken = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      taken.add(take(pool));
    }
    taken.forEach(RecordBatch::release);
    assertEquals(2 * one, pool.keptBytes());
    assertSame(taken.get(0), take(pool));
    assertSame(taken.get(1), take(pool));
    assertNotSame(taken.get(2), take(pool));
    assertEquals(0, pool.keptBytes());
  }

  @Test
  void aBatchSaysWhatItHoldsAndNotOnlyWhatItIsFilledWith() {
    RecordBatch batch = take(new BatchPool());
    long empty = batch.memoryBytes();
    byte[] value = new byte[1_000_000];
    batch.append(0, 0);
    batch.value(value, 0, value.length);
    long filled = batch.memoryBytes();
    assertTrue(filled >= empty + value.length - (32 << 10), () -> "takes " + filled);
    batch.reset(SPLIT, new byte[0], 0);
    assertEquals(filled, batch.memoryBytes());
  }
}
