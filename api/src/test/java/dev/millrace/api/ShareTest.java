package dev.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
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
  void theRestIsWhatItDoesNotHold() {
    for (double share : new double[] {0, 0.3, 1}) {
      Share rest = Share.of(share).rest();
      for (int i = 0; i < 1_000; i++) {
        assertTrue(Share.of(share).holds("user-" + i) != rest.holds("user-" + i));
        assertEquals(Share.of(share).holds("user-" + i), rest.rest().holds("user-" + i));
      }
    }
  }

  @Test
  void aTextIsTheBytesThatItIsWrittenAs() {
    Share half = Share.of(0.5);
    for (int i = 0; i < 1_000; i++) {
      String text = "Zoë-" + i;
      BytesWriter out = new BytesWriter();
      Serdes.string().write(text, out);
      assertEquals(half.holds(Bytes.of(out.toByteArray())), half.holds(text), text);
    }
  }

  @Test
  void allOrNothing() {
    for (int i = 0; i < 1_000; i++) {
      Bytes key = Bytes.ofUtf8("user-" + i);
      assertTrue(Share.of(1).holds(key) && !Share.of(0).holds(key));
    }
  }

  /// What belongs to a share must never change: samples of today and yesterday are compared.
  @Test
  void whoIsInStays() {
    StringBuilder in = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      in.append(Share.of(0.25).holds("user-" + i) ? 'x' : '.');
    }
    assertEquals("x..x.x.x....xx......x....xx...x.x.......", in.toString());
  }

  @Test
  void otherSharesAreRefused() {
    for (double share : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> Share.of(share));
    }
  }
}
