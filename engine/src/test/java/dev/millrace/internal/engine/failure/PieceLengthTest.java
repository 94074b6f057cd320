package dev.millrace.internal.engine.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.input.SliceLength;
import org.junit.jupiter.api.Test;

class PieceLengthTest {
  private final PieceLength length = new PieceLength();

  @Test
  void aSliceGoesThroughInOnePieceAsLongAsNothingFails() {
    length.went(2048);
    assertEquals(2048, length.records());
    assertTrue(length.isClean());
  }

  @Test
  void whereAllRecordsFailTheyAreProcessedOneByOne() {
    for (int i = 0; i < 100; i++) {
      length.failed(0);
    }
    assertEquals(1, length.records());
    assertFalse(length.isClean());
  }

  @Test
  void whereOneInAHundredFailsLittleIsDoneTwice() {
    int again = 0;
    int record = 0;
    for (int bad = 99; bad < 100_000; bad += 100) {
      while (record < bad) {
        int to = record + length.records();
        if (to > bad) {
          length.failed(bad - record);
          again += bad - record;
          length.went(bad - record); // those in front of it
          record = bad;
        } else {
          length.went(to - record);
          record = to;
        }
      }
      record = bad + 1;
    }
    assertTrue(again < 20_000, again + " of 100,000 were processed twice");
  }

  @Test
  void withoutFailuresPiecesGrowAgainAndAreForgottenAtLast() {
    length.failed(0);
    length.failed(0);
    int records = 0;
    while (length.records() < SliceLength.MOST) {
      records += length.records();
      length.went(length.records());
    }
    assertTrue(records < 50_000, "whole slices after " + records);
    assertFalse(length.isClean());
    while (records < PieceLength.CLEAN) {
      records += length.records();
      length.went(length.records());
    }
    assertTrue(length.isClean());
  }
}
