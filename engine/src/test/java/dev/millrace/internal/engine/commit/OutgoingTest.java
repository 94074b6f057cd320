package dev.millrace.internal.engine.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.settings.CommitConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which transaction a batch goes into, and that none is lost or kept.
class OutgoingTest {
  private final List<String> written = new ArrayList<>();
  private final AtomicInteger unreleased = new AtomicInteger();
  private final BatchPool pool = new BatchPool(0, batch -> unreleased.decrementAndGet());
  private final GroupMetrics metrics = new GroupMetrics();
  private final Mailbox one = new Mailbox(() -> {});
  private final Mailbox two = new Mailbox(() -> {});
  private Outgoing outgoing;

  /// Writes down what it is asked for.
  private final class Notes implements TransactionalWriter {
    @Override
    public void open() {}

    @Override
    public WriterId id() {
      return new WriterId("w", 1, 1);
    }

    @Override
    public void send(Split to, RecordBatch batch) {
      written.add(to.toString());
      batch.release();
    }

    @Override
    public void sendOutside(Split to, RecordBatch batch) {
      written.add("outside " + to);
      batch.release();
    }

    @Override
    public void sendPositions(String group, Map<Split, Position> positions) {
      written.add("positions " + positions.size());
    }

    @Override
    public void commit() {
      written.add("commit");
    }

    @Override
    public void abort() {
      written.add("abort");
    }

    @Override
    public Outcome outcome() {
      return Outcome.OPEN;
    }

    @Override
    public String failure() {
      return "";
    }

    @Override
    public long committedEnd(Split split) {
      return -1;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void make() {
    GroupSettings settings =
        new GroupSettings(
            "app",
            "w",
            "w",
            new Split("claims", 0),
            "changelog",
            List.of(),
            0,
            _ -> false,
            null,
            "sink"::equals,
            CommitConfig.defaults());
    outgoing = new Outgoing(settings, new Notes(), metrics);
  }

  private List<RecordBatch> batch(String stream) {
    RecordBatch batch = pool.take(new Split(stream, 0), new byte[0], 0);
    batch.append(0, 0);
    unreleased.incrementAndGet();
    return List.of(batch);
  }

  private Report.Early early(String stream) {
    return new Report.Early(batch(stream));
  }

  private Report.Part part(String stream) {
    return new Report.Part(batch(stream), Map.of(new Split("in", 0), Position.of(1)));
  }

  private void expect(String... expected) {
    assertEquals(List.of(expected), written);
    written.clear();
  }

  @Test
  void whatIsReadyBeforeTheCommitGoesIntoItsTransactionAtOnce() {
    assertFalse(outgoing.open());
    outgoing.add(one, early("a"), true);
    outgoing.add(two, early("sink"), true);
    assertTrue(outgoing.open());
    expect("a-0", "outside sink-0");
    outgoing.barrier();
    outgoing.add(one, early("changes"), true);
    expect("changes-0");
    assertEquals(1, outgoing.add(one, part("b")));
    assertEquals(2, outgoing.add(two, part("c")));
    outgoing.sendParts();
    outgoing.commit(true);
    expect("b-0", "c-0", "positions 1", "commit");
    assertFalse(outgoing.open());
    assertEquals(5, metrics.recordsSent());
    assertEquals(2, metrics.recordsSentEarly());
    assertEquals(0, unreleased.get());
  }

  @Test
  void whatComesBehindAPartWaitsForTheNextTransaction() {
    outgoing.add(one, part("a"));
    outgoing.add(one, early("of-the-next"), true);
    outgoing.add(two, early("of-this"), true);
    expect("of-this-0");
    outgoing.add(two, part("b"));
    outgoing.sendParts();
    outgoing.commit(true);
    outgoing.add(two, early("of-the-next-too"), true);
    expect("a-0", "b-0", "positions 1", "commit");
    outgoing.committed();
    expect("of-the-next-0", "of-the-next-too-0");
    assertTrue(outgoing.open());
    outgoing.add(one, part("c"));
    outgoing.add(two, early("early"), true);
    expect("early-0");
  }

  @Test
  void whatIsHeldBackGoesBeforeTheParts() {
    outgoing.add(one, early("a"), false);
    outgoing.add(one, early("b"), false);
    expect();
    assertFalse(outgoing.open());
    outgoing.add(one, part("c"));
    outgoing.sendParts();
    outgoing.commit(true);
    expect("a-0", "b-0", "c-0", "positions 1", "commit");
    assertEquals(0, metrics.recordsSentEarly());
  }

  @Test
  void ofADroppedTransactionNothingIsLeft() {
    outgoing.add(one, early("a"), false);
    outgoing.add(one, part("b"));
    outgoing.add(one, early("c"), true);
    outgoing.drop();
    assertEquals(0, unreleased.get());
    outgoing.add(one, early("d"), true);
    outgoing.add(one, part("e"));
    outgoing.sendParts();
    outgoing.commit(true);
    outgoing.committed();
    expect("d-0", "e-0", "positions 1", "commit");
  }

  private Report.Part consumed(String stream) {
    return new Report.Part(List.of(), Map.of(new Split(stream, 0), Position.of(1)));
  }

  @Test
  void positionsOfCommitsWithoutThemGoWithTheNext() {
    outgoing.add(one, part("a"));
    outgoing.sendParts();
    outgoing.commit(false);
    outgoing.committed();
    outgoing.add(one, consumed("other"));
    outgoing.sendParts();
    outgoing.commit(false);
    outgoing.committed();
    expect("a-0", "commit", "commit");
    outgoing.sendParts();
    outgoing.commit(true);
    outgoing.committed();
    expect("positions 2", "commit");
    outgoing.sendParts();
    outgoing.commit(true);
    expect("commit");
  }

  @Test
  void positionsOfADroppedTransactionAreNotSent() {
    outgoing.add(one, consumed("kept"));
    outgoing.sendParts();
    outgoing.commit(false);
    outgoing.committed();
    outgoing.add(one, consumed("dropped"));
    outgoing.sendParts();
    outgoing.commit(false);
    outgoing.drop();
    outgoing.add(one, consumed("dropped-too"));
    outgoing.sendParts();
    outgoing.commit(true);
    outgoing.drop();
    expect("commit", "commit", "positions 2", "commit");
    outgoing.sendParts();
    outgoing.commit(true);
    outgoing.committed();
    expect("positions 1", "commit");
    outgoing.sendParts();
    outgoing.commit(true);
    expect("commit");
  }
}
