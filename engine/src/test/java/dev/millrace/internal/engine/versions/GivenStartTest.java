package dev.millrace.internal.engine.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Split;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where an application begins, as it lies in the log.
class GivenStartTest {
  private static final GivenStart START =
      new GivenStart(
          false, Map.of(new Split("orders-2024", 1), 7L, new Split("orders-2024", 0), 1_200L));

  private static final String WRITTEN =
      """
      millrace start 1
      finished = no
      orders-2024-0 = 1200
      orders-2024-1 = 7
      """;

  @Test
  void itsTextStaysAsItIs() {
    assertEquals(WRITTEN, START.text());
    assertEquals(START, GivenStart.parse(WRITTEN));
    assertEquals("millrace start 1\nfinished = yes\n", GivenStart.NONE.text());
    assertEquals(GivenStart.NONE, GivenStart.parse(GivenStart.NONE.text()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "millrace start 2\nfinished = yes\n",
        "millrace start 1\n",
        "millrace start 1\nfinished = perhaps\n",
        "millrace start 1\nfinished = yes\norders = 1\n",
        "millrace start 1\nfinished = yes\norders-0 1\n",
        "millrace start 1\nfinished = yes\norders-x = 1\n",
        "millrace start 1\nfinished = yes\n-0 = 1\n",
      })
  void whatCannotBeReadIsRefused(String text) {
    var refused = assertThrows(IllegalArgumentException.class, () -> GivenStart.parse(text));
    assertTrue(String.valueOf(refused.getMessage()).contains("It "), refused.getMessage());
  }
}
