package dev.millrace.internal.kafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class PositionDetailTest {
  @Test
  void whatIsWrittenIsReadAgain() {
    PositionDetail detail = new PositionDetail(new Uuid(3, 5), 7);
    assertEquals(detail, PositionDetail.decode(detail.encode()));
    assertNull(PositionDetail.decode(new byte[0]));
  }

  @Test
  void aDetailOfAnotherLengthIsNamedWithItsOwnLengthFirst() {
    IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> PositionDetail.decode(new byte[3]));
    assertEquals("The detail of a position in Kafka has 3 bytes, not 20.", failure.getMessage());
  }
}
