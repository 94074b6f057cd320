package dev.millrace.testkit.contract;

import static dev.millrace.testkit.contract.LogBench.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Log.OpenTransaction;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The part of [LogContract] about writers that take over from each other, and transactions left
/// behind.
interface LogFenceContract {
  LogBench bench();

  @Test
  default void aNewWriterFencesTheOldOneAndAbortsWhatItLeftOpen() {
    Split split = bench().split();
    String id = bench().uniqueName("writer");
    TransactionalWriter old = bench().openWriter(id);
    bench().write(old, split, "old");
    old.send(split, batch("left open"));
    bench().eventually("the record arrived", () -> bench().offsets(split).end() == 3);
    TransactionalWriter taker = bench().openWriter(id);
    bench().awaitDecided(split);
    old.send(split, batch("late"));
    old.commit();
    assertEquals(Outcome.FENCED, bench().outcome(old));
    assertFalse(old.failure().isEmpty());
    bench().write(taker, split, "new");
    assertEquals(Outcome.FENCED, old.outcome());
    assertEquals(List.of("old", "new"), bench().values(split));
  }

  @Test
  default void aFencedWriterStaysFenced() {
    Split split = bench().split();
    String id = bench().uniqueName("writer");
    TransactionalWriter old = bench().openWriter(id);
    TransactionalWriter taker = bench().openWriter(id);
    old.send(split, batch("no"));
    old.commit();
    assertEquals(Outcome.FENCED, bench().outcome(old));
    assertEquals(Kind.FENCED, assertThrows(LogException.class, old::open).kind());
    bench().write(taker, split, "yes");
    assertEquals(List.of("yes"), bench().values(split));
  }

  @Test
  default void aTakeoverShowsInTheIdOfTheWriter() {
    String id = bench().uniqueName("writer");
    WriterId old = bench().openWriter(id).id();
    WriterId taker = bench().openWriter(id).id();
    assertEquals(id, old.transactionalId());
    assertEquals(id, taker.transactionalId());
    assertNotEquals(old, taker);
    if (old.producerId() == taker.producerId()) {
      assertTrue(old.epoch() < taker.epoch(), old + " then " + taker);
    }
  }

  @Test
  default void openingAgainAbortsWhatTheWriterHadOpen() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    writer.send(split, batch("no"));
    bench().open(writer);
    assertEquals(Outcome.OPEN, writer.outcome());
    bench().write(writer, split, "yes");
    assertEquals(List.of("yes"), bench().values(split));
  }

  @Test
  default void fencingAbortsAndBarsUntilANewWriterIsOpened() {
    Split split = bench().split();
    String id = bench().uniqueName("writer");
    TransactionalWriter writer = bench().openWriter(id);
    writer.send(split, batch("no"));
    bench().eventually("the record arrived", () -> bench().offsets(split).end() == 1);
    fence(List.of(id));
    bench().awaitDecided(split);
    writer.commit();
    assertEquals(Outcome.FENCED, bench().outcome(writer));
    bench().write(bench().openWriter(id), split, "yes");
    assertEquals(List.of("yes"), bench().values(split));
  }

  @Test
  default void anIdleWriterIsFencedToo() {
    Split split = bench().split();
    String idle = bench().uniqueName("writer");
    String other = bench().uniqueName("writer");
    TransactionalWriter writer = bench().openWriter(idle);
    bench().write(writer, split, "before");
    TransactionalWriter untouched = bench().openWriter(other);
    fence(List.of(idle));
    writer.send(split, batch("no"));
    writer.commit();
    assertEquals(Outcome.FENCED, bench().outcome(writer));
    bench().write(untouched, split, "other");
    assertEquals(List.of("before", "other"), bench().values(split));
  }

  @Test
  default void anIdThatNobodyUsedCanBeFenced() {
    String id = bench().uniqueName("nobody");
    fence(List.of(id));
    fence(List.of());
    Split split = bench().split();
    bench().write(bench().openWriter(id), split, "yes");
    assertEquals(List.of("yes"), bench().values(split));
  }

  private void fence(List<String> ids) {
    bench()
        .eventually(
            ids + " are fenced",
            () -> {
              bench().log().fence(ids);
              return true;
            });
  }

  @Test
  default void transactionalIdsAreFoundByPrefix() {
    Split split = bench().split();
    String prefix = bench().uniqueName("app");
    String one = prefix + "-one";
    String two = prefix + "-two";
    String other = bench().uniqueName("other");
    bench().write(bench().openWriter(two), split, "a");
    bench().write(bench().openWriter(one), split, "b");
    bench().write(bench().openWriter(other), split, "c");
    bench()
        .eventually(
            "both ids are known",
            () ->
                bench().log().transactionalIds(prefix).stream()
                    .sorted()
                    .toList()
                    .equals(List.of(one, two)));
  }

  @Test
  default void theTransactionsThatHoldBackASplitAreKnown() {
    List<Split> splits = bench().twoSplits();
    Split split = splits.get(0);
    TransactionalWriter first = bench().openWriter();
    TransactionalWriter second = bench().openWriter();
    assertEquals(List.of(), open(split));
    bench().write(second, split, "a");
    bench().awaitDecided(split);
    long start = bench().offsets(split).end();
    first.send(split, batch("b", "c"));
    bench().eventually("b and c arrived", () -> bench().offsets(split).end() == start + 2);
    second.send(split, batch("d"));
    bench().eventually("d arrived", () -> bench().offsets(split).end() == start + 3);
    List<OpenTransaction> open = open(split);
    assertEquals(2, open.size(), open::toString);
    assertEquals(start, find(open, first).firstOffset());
    assertEquals(start + 2, find(open, second).firstOffset());
    assertEquals(List.of(), open(splits.get(1)));
    bench().commit(first);
    bench().eventually("one is left", () -> open(split).size() == 1);
    bench().abort(second);
    bench().eventually("none is left", () -> open(split).isEmpty());
  }

  private List<OpenTransaction> open(Split split) {
    return bench().awaiting("transactions are known", () -> bench().log().openTransactions(split));
  }

  private static OpenTransaction find(List<OpenTransaction> open, TransactionalWriter writer) {
    return open.stream()
        .filter(one -> one.transactionalId().equals(writer.id().transactionalId()))
        .filter(one -> one.producerId() == writer.id().producerId())
        .findAny()
        .orElseThrow(() -> new AssertionError("Not found: " + writer.id() + " in " + open));
  }

  @Test
  default void aHangingTransactionCanBeAborted() {
    Split split = bench().split();
    TransactionalWriter gone = bench().openWriter();
    TransactionalWriter writer = bench().openWriter();
    gone.send(split, batch("no", "no"));
    bench().eventually("it arrived", () -> bench().offsets(split).end() == 2);
    bench().write(writer, split, "yes");
    assertEquals(0, bench().offsets(split).stableEnd());
    OpenTransaction hanging = open(split).getFirst();
    bench()
        .eventually(
            "it is aborted",
            () -> {
              bench().log().abortHanging(split, hanging);
              return true;
            });
    assertEquals(List.of("yes"), bench().values(split));
    assertEquals(List.of(), open(split));
    bench().write(writer, split, "more");
    assertEquals(List.of("yes", "more"), bench().values(split));
  }
}
