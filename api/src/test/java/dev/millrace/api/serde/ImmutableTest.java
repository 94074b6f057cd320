package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Which values nobody can change who holds them.
class ImmutableTest {
  record Fixed(long number, String text, BigDecimal sum, Instant at, Optional<Inner> inner) {}

  record Inner(int number, @Nullable Inner more) {}

  record WithList(long number, List<String> list) {}

  record WithArray(Inner inner, byte[] bytes) {}

  sealed interface Shape permits Dot, Line {}

  record Dot(int x) implements Shape {}

  record Line(Dot from, Dot to) implements Shape {}

  sealed interface Changing permits Dots, Nothing {}

  record Dots(Dot[] dots) implements Changing {}

  record Nothing() implements Changing {}

  @Test
  void numbersTextsAndRecordsOfThemAreImmutable() {
    assertTrue(Serdes.longs().immutable());
    assertTrue(Serdes.string().immutable());
    assertTrue(Serdes.record(Fixed.class).immutable());
    assertTrue(Serdes.record(Inner.class).immutable());
    assertTrue(Serdes.forType(Shape.class).immutable());
  }

  @Test
  void whatHoldsSomethingThatCanBeChangedIsNot() {
    assertFalse(Serdes.record(WithList.class).immutable());
    assertFalse(Serdes.record(WithArray.class).immutable());
    assertFalse(Serdes.forType(Changing.class).immutable());
    assertFalse(Serdes.bytes().immutable());
  }
}
