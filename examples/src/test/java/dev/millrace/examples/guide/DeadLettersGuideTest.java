package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.examples.guide.DeadLettersGuide.Payment;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.job.TestJob;
import dev.millrace.testkit.job.TestLetter;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// What the guide to dead letters shows of tests.
class DeadLettersGuideTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void whatCannotBeReadIsALetter() {
    try (TestJob job = TestJob.of(new DeadLettersGuide(false)).onError(OnError.DEAD_LETTER)) {
      var payments = job.input("payments");
      payments.send("ann", new Payment("ann", "250", NOON));
      payments.send("ann", new Payment("ann", "300 EUR", NOON));
      payments.end();

      job.output("paid").hasValues("2.50");
      TestLetter letter = job.deadLetters().getFirst();
      assertEquals("map 1", letter.header("millrace.operator"));
      assertEquals("For input string: \"300 EUR\"", letter.header("millrace.cause"));
    }
  }

  @Test
  void whoIsMendedReadsIt() {
    try (TestJob job = TestJob.of(new DeadLettersGuide(true))) {
      var payments = job.input("payments");
      payments.send("ann", new Payment("ann", "250", NOON));
      payments.send("ann", new Payment("ann", "300 EUR", NOON));
      payments.end();
      job.output("paid").hasValues("5.50");
    }
  }
}
