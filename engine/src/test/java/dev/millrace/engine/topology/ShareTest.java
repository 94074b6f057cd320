package dev.millrace.engine.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.serde.Bytes;
import org.junit.jupiter.api.Test;

class ShareTest {
  @Test
  void aboutTheShareIsKeptAndASmallerOneIsPartOfALarger() {
    int kept = 0;
    for (int i = 0; i < 100_000; i++) {
      Bytes key = Bytes.ofUtf8("user-" + i);
      boolean in = Share.of(0.1).holds(key);
      kept += in ? 1 : 0;
      assertTrue(!in || Share.of(0.2).holds(key), key.toUtf8());
    }
    assertEquals(10_000, kept, 500); // more than five standard deviations
  }

  @Test
  void allOrNothing() {
    for (int i = 0; i < 1_000; i++) {
      Bytes key = Bytes.ofUtf8("user-" + i);
      assertTrue(Share.of(1).holds(key) && !Share.of(0).holds(key));
    }
  }

  @Test
  void otherSharesAreRefused() {
    for (double share : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThrows(InvalidTopologyException.class, () -> Share.of(share));
    }
  }
}
