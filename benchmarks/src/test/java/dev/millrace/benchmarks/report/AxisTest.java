package dev.millrace.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Figure.Scale;
import java.util.List;
import org.junit.jupiter.api.Test;

class AxisTest {
  private static Axis axis(Scale scale, Double... values) {
    return Axis.of(
        new Plot("x", "y", List.of("1"), List.of(new Line("line", List.of(values))), scale));
  }

  @Test
  void aLinearOneBeginsAtNothing() {
    Axis axis = axis(Scale.LINEAR, 3.0, 4.0, Double.NaN);
    assertArrayEquals(new double[] {0, 1, 2, 3, 4, 5}, axis.marks(), 1e-9);
    assertEquals(0.8, axis.share(4), 1e-9);
    assertTrue(axis.shows(0));
    assertFalse(axis.shows(Double.NaN));
  }

  @Test
  void aLogarithmicOneGoesFromAPowerOfTenToAnother() {
    Axis axis = axis(Scale.LOGARITHMIC, 0.05, 700.0, 0.0);
    assertArrayEquals(new double[] {0.01, 0.1, 1, 10, 100, 1_000}, axis.marks(), 1e-9);
    assertEquals(0, axis.share(0.01), 1e-9);
    assertEquals(0.6, axis.share(10), 1e-9);
    assertFalse(axis.shows(0));
  }

  @Test
  void aSinglePowerOfTenHasRoomAboveIt() {
    assertArrayEquals(new double[] {100, 1_000}, axis(Scale.LOGARITHMIC, 100.0).marks(), 1e-9);
  }
}
