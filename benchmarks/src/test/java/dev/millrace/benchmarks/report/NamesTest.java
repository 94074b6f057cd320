package dev.millrace.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
  enum Some {
    FIRST,
    THE_SECOND
  }

  @Test
  void constantsAreAskedForInLowerCase() {
    assertEquals("the-second", Names.of(Some.THE_SECOND));
    assertEquals(
        List.of(Some.THE_SECOND), Names.asked(Some.class, List.of("the-second", "the-second")));
  }

  @Test
  void noneAskedForAreAll() {
    assertEquals(List.of(Some.FIRST, Some.THE_SECOND), Names.asked(Some.class, List.of()));
  }

  @Test
  void aNameThatThereIsNotIsRefusedWithThoseThereAre() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> Names.asked(Some.class, List.of("third")));
    assertEquals("There is no 'third'; there are first, the-second.", refused.getMessage());
  }
}
