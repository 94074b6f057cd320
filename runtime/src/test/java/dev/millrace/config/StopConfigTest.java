package dev.millrace.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StopConfigTest {
  @Test
  void theHandOverTakesHalfOfTheTimeAtMost() {
    StopConfig stop = StopConfig.defaults().withHandOver(Duration.ofSeconds(5));
    assertEquals(Duration.ofSeconds(5), stop.handOverWithin(Duration.ofSeconds(30)));
    assertEquals(Duration.ofSeconds(2), stop.handOverWithin(Duration.ofSeconds(4)));
    assertEquals(Duration.ZERO, stop.handOverWithin(Duration.ZERO));
  }
}
