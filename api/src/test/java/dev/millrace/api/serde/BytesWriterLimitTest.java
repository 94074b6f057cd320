package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BytesWriterLimitTest {
  private final BytesWriter writer = new BytesWriter(4);

  @Test
  void moreMemoryThanTheLimitIsNotTaken() {
    writer.limit(100);
    for (int i = 0; i < 100; i++) {
      writer.writeByte(i);
    }
    assertEquals(100, writer.array().length);
    assertFalse(writer.isAtLimit());
    assertThrows(SerdeException.class, () -> writer.writeByte(0));
    assertTrue(writer.isAtLimit());
    assertEquals(100, writer.length());
    assertEquals(100, writer.array().length);
  }

  @Test
  void theLimitIsGoneWhenTheWriterIsCleared() {
    writer.limit(10);
    assertThrows(SerdeException.class, () -> writer.write(new byte[11]));
    writer.clear();
    assertFalse(writer.isAtLimit());
    writer.write(new byte[1_000]);
    assertEquals(1_000, writer.length());
  }

  @Test
  void aValueThatClaimsMoreThanAnArrayHoldsIsRefusedAsWell() {
    writer.writeInt(0);
    assertThrows(SerdeException.class, () -> writer.reserve(Integer.MAX_VALUE - 2));
  }
}
