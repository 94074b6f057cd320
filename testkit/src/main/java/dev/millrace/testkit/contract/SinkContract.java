package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.millrace.spi.ExternalSink;
import dev.millrace.spi.ExternalSink.Delivery;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.SinkException;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a sink outside the log must do to get everything exactly once.
public abstract class SinkContract {
  private static final String CHANGELOG = "changelog-1";

  /// The sink; always the same place.
  protected abstract ExternalSink<?, String> sink();

  /// The values that a task has written, in order.
  protected abstract List<String> contents(String task);

  @Test
  public void whatWasDeliveredIsThereInOrder() {
    try (Delivery delivery = sink().open("0-0", CHANGELOG)) {
      delivery.deliver(1, batch("a", "b"));
      assertEquals(List.of("a", "b"), contents("0-0"));
      delivery.deliver(4, batch("c"));
      assertEquals(List.of("a", "b", "c"), contents("0-0"));
    }
  }

  @Test
  public void theSameCommitAgainChangesNothing() {
    try (Delivery delivery = sink().open("0-0", CHANGELOG)) {
      delivery.deliver(1, batch("a"));
      delivery.deliver(2, batch("b"));
      delivery.deliver(2, batch("b"));
      assertEquals(List.of("a", "b"), contents("0-0"));
    }
  }

  @Test
  public void theSameCommitAgainAfterARestartChangesNothing() {
    try (Delivery delivery = sink().open("0-0", CHANGELOG)) {
      delivery.deliver(1, batch("a"));
      delivery.deliver(2, batch("b"));
    }
    try (Delivery delivery = sink().open("0-0", CHANGELOG)) {
      delivery.deliver(2, batch("b"));
      delivery.deliver(3, batch("c"));
      assertEquals(List.of("a", "b", "c"), contents("0-0"));
    }
  }

  @Test
  public void anOwnerThatWasCutOffIsNotInTheWay() {
    Delivery cutOff = sink().open("0-0", CHANGELOG);
    cutOff.deliver(1, batch("a"));
    try (Delivery delivery = sink().open("0-0", CHANGELOG)) {
      delivery.deliver(1, batch("a"));
      delivery.deliver(2, batch("b"));
      cutOff.close();
      delivery.deliver(3, batch("c"));
      assertEquals(List.of("a", "b", "c"), contents("0-0"));
    }
  }

  /// The sink may also throw a [SinkException] to the one that was cut off.
  @Test
  public void anOwnerThatWasCutOffAndDeliversLateUndoesNothingOfItsSuccessor() {
    Delivery cutOff = sink().open("0-0", CHANGELOG);
    cutOff.deliver(5, batch("a"));
    // It has committed 6 as well, and stands still before it delivers it.
    try (Delivery delivery = sink().open("0-0", CHANGELOG)) {
      delivery.deliver(5, batch("a"));
      delivery.deliver(6, batch("b"));
      delivery.deliver(7, batch("c"));
      try {
        cutOff.deliver(6, batch("b"));
      } catch (SinkException e) {
        assertNotNull(e.getMessage());
      }
      assertEquals(List.of("a", "b", "c"), contents("0-0"));
      delivery.deliver(8, batch("d"));
      assertEquals(List.of("a", "b", "c", "d"), contents("0-0"));
    } finally {
      cutOff.close();
    }
    try (Delivery next = sink().open("0-0", CHANGELOG)) {
      next.deliver(8, batch("d"));
      next.deliver(9, batch("e"));
      assertEquals(List.of("a", "b", "c", "d", "e"), contents("0-0"));
    }
  }

  @Test
  public void tasksDoNotDisturbEachOther() {
    try (Delivery one = sink().open("0-0", CHANGELOG);
        Delivery other = sink().open("0-1", CHANGELOG)) {
      one.deliver(1, batch("a"));
      other.deliver(1, batch("x"));
      one.deliver(2, batch("b"));
      assertEquals(List.of("a", "b"), contents("0-0"));
      assertEquals(List.of("x"), contents("0-1"));
    }
  }

  @Test
  public void muchIsTakenAtOnce() {
    String large = "y".repeat(500_000);
    try (Delivery delivery = sink().open("0-0", CHANGELOG)) {
      delivery.deliver(1, batch(large, "small", large));
    }
    assertEquals(List.of(large, "small", large), contents("0-0"));
  }

  private static RecordBatch batch(String... values) {
    RecordBatch batch = RecordBatch.create();
    batch.reset(new Split("contract", 0), new byte[0], 0);
    for (String value : values) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      batch.append(batch.size(), 0);
      batch.value(bytes, 0, bytes.length);
    }
    return batch;
  }
}
