package dev.millrace.internal.engine.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.settings.Placement.Groups;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.engine.topology.TrendingTags;
import dev.millrace.spi.RecordBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/// Three stages of four tasks each, which two exchanges connect, on two workers.
class DirectExchangesTest {
  private static final int PARTITIONS = 4;
  private static final long OUTBOX_BYTES = 64_000;
  private static final Plan PLAN =
      Planner.plan(
          "tags", TopologyGraph.of(new TrendingTags()), Map.of("profile-updates", PARTITIONS));
  private static final Plan.Exchange FIRST = PLAN.exchanges().get(0);
  private static final Plan.Exchange SECOND = PLAN.exchanges().get(1);

  private final DirectExchanges exchanges = direct(2);
  private final DirectPort one = exchanges.port(0);
  private final DirectPort other = exchanges.port(1);

  private static DirectExchanges direct(int workers) {
    return new DirectExchanges(PLAN, new Placement(0, 1, workers, Groups.DIRECT), OUTBOX_BYTES);
  }

  private static void send(DirectPort port, Plan.Exchange exchange, int partition, long number) {
    Outbox outbox = port.outbox(exchange);
    assertNotNull(outbox);
    RecordBatch batch = outbox.append(exchange.topic(), partition, 0);
    int start = batch.data().length();
    batch.data().writeLong(number);
    batch.endValue(start);
  }

  private static List<String> received(DirectPort port) {
    List<String> all = new ArrayList<>();
    port.receive(batch -> {
      for (int i = 0; i < batch.size(); i++) {
        all.add(batch.split() + " " + number(batch, i));
      }
      batch.release();
    });
    return all;
  }

  private static long number(RecordBatch batch, int index) {
    Bytes value = batch.value(index, new Bytes());
    long number = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      number = number << 8 | value.get(i) & 0xFF;
    }
    return number;
  }

  private static String first(int partition, long number) {
    return "tags.by-tag-exchange-" + partition + " " + number;
  }

  @Test
  void whatIsSentComesToTheWorkerOfItsTaskInOrder() {
    for (int number = 0; number < 8; number++) {
      send(one, FIRST, number % PARTITIONS, number);
    }
    assertEquals(List.of(), received(other));
    assertTrue(one.handOverAll());
    // Tasks are dealt out in turn: 4 to 7, of the first exchange, to worker 0, 1, 0, 1.
    assertEquals(List.of(first(1, 1), first(1, 5), first(3, 3), first(3, 7)), received(other));
    assertEquals(List.of(first(0, 0), first(0, 4), first(2, 2), first(2, 6)), received(one));
    assertFalse(one.handOverAll());
  }

  @Test
  void nothingComesFromBehindTheBarriersBeforeTheyArePassed() {
    send(one, FIRST, 1, 1);
    one.barrier(0);
    one.barrier(1);
    send(one, FIRST, 1, 2);
    one.handOverAll();
    assertEquals(List.of(first(1, 1)), received(other));
    assertFalse(other.atBarrier(1));
    send(other, FIRST, 1, 3);
    other.barrier(0);
    assertEquals(List.of(first(1, 3)), received(other));
    assertTrue(other.atBarrier(1));
    assertFalse(other.atBarrier(2));
    other.barrier(1);
    assertEquals(List.of(), received(other));
    assertTrue(other.atBarrier(2));
    other.passBarrier(0);
    assertFalse(other.atBarrier(1));
    assertEquals(List.of(first(1, 2)), received(other));
  }

  @Test
  void whatWasUnderWayWhenAllWentBackIsNeverSeen() {
    send(one, FIRST, 1, 1);
    one.barrier(0);
    send(one, FIRST, 1, 2);
    other.rollBack();
    one.handOverAll(); // it does not know yet
    assertEquals(List.of(), received(other));
    send(one, FIRST, 1, 3);
    one.rollBack();
    send(one, FIRST, 1, 4);
    one.handOverAll();
    assertEquals(List.of(first(1, 4)), received(other));
    assertFalse(other.atBarrier(1));
  }

  @Test
  void anExchangeIsOpenIfAllBehindItTakeWhatComes() {
    assertFalse(one.isOpen(0));
    assertTrue(one.isOpen(2)); // nothing is sent from there
    one.open(stage -> true);
    other.open(stage -> stage == 1);
    one.open(stage -> true);
    assertFalse(one.isOpen(1));
    assertFalse(one.isOpen(0));
    other.open(stage -> true);
    assertTrue(one.isOpen(1));
    one.open(stage -> true);
    other.open(stage -> true);
    assertTrue(one.isOpen(0));
    other.rollBack();
    assertFalse(one.isOpen(0));
    assertFalse(one.isOpen(1));
  }

  @Test
  void thereIsRoomAgainWhenWhatWasSentIsProcessed() {
    int number = 0;
    while (one.haveRoom(0)) {
      send(one, FIRST, 1, number++);
      one.look();
    }
    assertTrue(number > 100, number + " records found room");
    assertTrue(one.lacksRoom());
    assertTrue(one.haveRoom(1));
    one.handOverAll();
    List<RecordBatch> kept = new ArrayList<>();
    other.receive(kept::add);
    one.look();
    assertFalse(one.haveRoom(0));
    kept.forEach(RecordBatch::release);
    one.look();
    assertTrue(one.haveRoom(0));
  }

  @Test
  void whoWaitsIsWokenByWhatComes() {
    AtomicInteger woken = new AtomicInteger();
    other.wakeup(woken::incrementAndGet);
    assertTrue(other.waits());
    send(one, FIRST, 1, 1);
    one.handOverAll();
    assertEquals(1, woken.get());
    assertFalse(other.waits());
    other.waited();
    received(other);
    send(one, FIRST, 1, 2);
    one.handOverAll();
    assertEquals(1, woken.get());
  }

  @Test
  void exchangesAreTopicsUnderAnyOtherPlacement() {
    DirectPort port =
        new DirectExchanges(PLAN, new Placement(0, 1, 2, Groups.OF_CONTAINERS), OUTBOX_BYTES)
            .port(0);
    assertFalse(port.isUsed());
    assertNull(port.outbox(SECOND));
    assertTrue(port.haveRoom(0) && port.isOpen(0) && port.atBarrier(1) && port.waits());
  }

  @Test
  void theyAreForOneContainer() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new Placement(0, 2, 1, Groups.DIRECT));
    assertTrue(refused.getMessage().contains("found 2 containers"), refused::toString);
    assertEquals("1x3d", new Placement(0, 1, 3, Groups.DIRECT).text());
  }

  /// Every worker sends numbers to all; between two of its barriers each gets exactly those that
  /// were sent between the two barriers of their senders.
  @Test
  void threadsGetBetweenBarriersWhatWasSentBetweenThem() throws InterruptedException {
    int workers = 3;
    int commits = 200;
    DirectExchanges all = direct(workers);
    AtomicLongArray sent = new AtomicLongArray(commits);
    AtomicLongArray received = new AtomicLongArray(commits);
    List<Thread> threads = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      DirectPort port = all.port(worker);
      Random random = new Random(worker);
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int commit = 0; commit < commits; commit++) {
                  round(port, random, commit, sent, received);
                }
              }));
    }
    for (Thread thread : threads) {
      assertTrue(thread.join(Duration.ofSeconds(60)), "A worker waits for ever.");
    }
    for (int commit = 0; commit < commits; commit++) {
      assertEquals(sent.get(commit), received.get(commit), "commit " + commit);
    }
  }

  private static void round(
      DirectPort port, Random random, int commit, AtomicLongArray sent, AtomicLongArray received) {
    for (int i = random.nextInt(50); i > 0; i--) {
      long number = random.nextInt(1_000);
      sent.addAndGet(commit, number);
      send(port, FIRST, random.nextInt(PARTITIONS), number);
      if (random.nextInt(10) == 0) {
        port.handOverAll();
        take(port, commit, received);
      }
    }
    port.barrier(0);
    port.barrier(1);
    while (!port.atBarrier(1) || !port.atBarrier(2)) {
      take(port, commit, received);
      Thread.onSpinWait();
    }
    port.passBarrier(0);
  }

  private static void take(DirectPort port, int commit, AtomicLongArray received) {
    port.receive(batch -> {
      for (int i = 0; i < batch.size(); i++) {
        received.addAndGet(commit, number(batch, i));
      }
      batch.release();
    });
  }
}
