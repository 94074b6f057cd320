package dev.millrace.internal.kafka.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.Random;
import java.util.WeakHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AnswerMemoryTest {
  private static final int MB = 1 << 20;

  private final AnswerMemory memory = new AnswerMemory(4 * MB);

  @Test
  void anAnswerLiesWhereOneLayThatWasTaken() {
    ByteBuffer first = memory.tryAllocate(MB + 5);
    assertEquals(MB + 5, first.remaining());
    memory.release(array(first));
    ByteBuffer second = memory.tryAllocate(MB + 77);
    assertSame(array(first), array(second));
    assertEquals(0, second.position());
    assertEquals(MB + 77, second.limit());
    assertNotSame(array(second), array(memory.tryAllocate(MB)));
  }

  @Test
  void smallAnswersAndThoseFarTooSmallForItDoNot() {
    ByteBuffer large = memory.tryAllocate(4 * MB);
    memory.release(array(large));
    assertEquals(100, array(memory.tryAllocate(100)).length);
    assertNotSame(array(large), array(memory.tryAllocate(100_000)));
    assertSame(array(large), array(memory.tryAllocate(MB)));
  }

  /// Whoever has memory has it alone, whatever comes back and in which order, and what is kept
  /// stays within its bounds.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nobodyGetsWhatAnotherHas(long seed) {
    Random random = new Random(seed);
    IdentityHashMap<byte[], Integer> used = new IdentityHashMap<>();
    // Arrays are equal only to themselves.
    WeakHashMap<byte[], Boolean> seen = new WeakHashMap<>();
    int again = 0;
    for (int i = 0; i < 2_000; i++) {
      if (random.nextBoolean() || used.isEmpty()) {
        int size = random.nextInt(1 << random.nextInt(10, 21)) + 1;
        ByteBuffer buffer = memory.tryAllocate(size);
        assertEquals(size, buffer.remaining());
        assertEquals(null, used.put(array(buffer), size), () -> "seed " + seed);
        again += seen.put(array(buffer), true) == null ? 0 : 1;
      } else {
        byte[] array = used.keySet().iterator().next();
        used.remove(array);
        memory.release(array);
      }
      assertTrue(memory.keptBytes() <= 4 * MB, () -> memory.keptBytes() + " bytes");
    }
    assertTrue(again > 100, "used again: " + again);
  }

  private static byte[] array(ByteBuffer buffer) {
    assertEquals(0, buffer.arrayOffset());
    return buffer.array();
  }
}
