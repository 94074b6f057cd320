package dev.millrace.internal.engine.input;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SliceLengthTest {
  private static final long MILLI = 1_000_000;

  private final SliceLength slice = new SliceLength();

  @Test
  void whatIsNotKnownYetBeginsWithFewRecords() {
    assertEquals(16, slice.records());
    for (int records = 16; records < 2048; records *= 2) {
      assertEquals(records, slice.records());
      slice.took(records, MILLI / 1_000);
    }
    assertEquals(2048, slice.records());
  }

  private void grow() {
    for (int i = 0; i < 8; i++) {
      slice.took(2048, MILLI);
    }
  }

  @Test
  void whatTakesLittleGoesThroughInWhole() {
    grow();
    slice.took(2048, MILLI);
    assertEquals(2048, slice.records());
    slice.took(0, MILLI);
    slice.took(2048, 0);
    assertEquals(2048, slice.records());
  }

  @Test
  void slowRecordsGoInSmallSlices() {
    grow();
    slice.took(2048, 2048 * MILLI);
    assertEquals(10, slice.records());
    slice.took(10, 10 * MILLI);
    assertEquals(10, slice.records());
    slice.took(1, 3_000 * MILLI);
    assertEquals(1, slice.records());
  }

  @Test
  void aPauseIsForgottenStepByStep() {
    grow();
    slice.took(2048, 32 * MILLI);
    assertEquals(640, slice.records());
    slice.took(640, MILLI / 10);
    assertEquals(1280, slice.records());
    slice.took(10, MILLI / 100);
    assertEquals(2048, slice.records());
  }
}
