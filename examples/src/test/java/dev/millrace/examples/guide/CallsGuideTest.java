package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.guide.CallsGuide.Bank;
import dev.millrace.examples.guide.CallsGuide.Payment;
import dev.millrace.examples.guide.CallsGuide.Scored;
import dev.millrace.testkit.job.On;
import dev.millrace.testkit.job.TestJob;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the guide to calls shows of tests.
class CallsGuideTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  /// Answers what a test needs, and is away at first.
  static final class FakeBank implements Bank {
    private final List<String> countries = new ArrayList<>();
    private int failures;

    FakeBank failing(int times) {
      failures = times;
      return this;
    }

    @Override
    public double risk(Payment payment) throws IOException {
      if (failures-- > 0) {
        throw new IOException("The bank is closed.");
      }
      return payment.cents() > 1_000 ? 0.9 : 0.1;
    }

    @Override
    public CompletableFuture<Double> riskSoon(Payment payment) {
      return CompletableFuture.completedFuture(payment.cents() / 10_000.0);
    }

    @Override
    public List<Double> risks(List<Payment> payments) {
      return payments.stream().map(payment -> payment.cents() / 10_000.0).toList();
    }

    @Override
    public String country(String account) {
      countries.add(account);
      return "CH";
    }

    @Override
    public String transfer(Payment payment) {
      return payment.to() + " has " + payment.cents();
    }
  }

  private static Payment payment(String from, long cents, Instant at) {
    return new Payment(from, "mill", cents, at);
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerComesOnceWhateverHappens(On on) {
    FakeBank bank = new FakeBank().failing(2);
    try (TestJob job = TestJob.on(on, new CallsGuide(bank))) {
      Payment payment = new Payment("ann", "mill", 2_000, NOON);
      job.input("payments").send("ann", payment);
      job.crash();
      job.output("scored").hasValues(new Scored(payment, 0.9));
    }
    assertTrue(bank.failures < 0, "It was asked again.");
  }

  @Test
  void aWindowWaitsForTheCallsBeforeIt() {
    FakeBank bank = new FakeBank().failing(3);
    try (TestJob job = TestJob.of(new CallsGuide(bank)).partitions(1)) {
      var payments = job.input("payments");
      payments.send("ann", payment("ann", 2_000, NOON));
      payments.send("ann", payment("ann", 3_000, NOON.plusSeconds(30)));
      payments.send("ann", payment("ann", 10, NOON.plusSeconds(40)));
      payments.send("bob", payment("bob", 10, NOON.plusSeconds(65)));
      job.output("risky-payments").hasValuesOf("ann", 2L).hasNo("bob");
    }
  }

  @Test
  void everyWayAnswers() {
    FakeBank bank = new FakeBank();
    try (TestJob job = TestJob.of(new CallsGuide(bank)).partitions(1)) {
      var payments = job.input("payments");
      payments.send("ann", payment("ann", 2_000, NOON));
      payments.send("bob", payment("bob", 3_000, NOON));
      payments.send("ann", payment("ann", 1_000, NOON));
      job.output("risks").hasValuesOf("ann", 0.2, 0.1).hasValuesOf("bob", 0.3);
      job.output("risks-in-batches").hasValuesOf("ann", 0.2, 0.1).hasValuesOf("bob", 0.3);
      job.output("receipts")
          .hasValuesOf("ann", "mill has 2000", "mill has 1000")
          .hasValuesOf("bob", "mill has 3000");
      job.output("careful-risks").hasValuesOf("ann", 0.9, 0.1).hasValuesOf("bob", 0.9);
      job.output("countries").hasValues("CH", "CH", "CH");
      assertEquals(List.of("mill"), bank.countries);
    }
  }
}
