package dev.millrace.internal.cluster.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InboxTest {
  private static final Split SIGNS = new Split("signs", 0);
  private static final Split DECISIONS = new Split("decisions", 0);
  private static final Duration LONG = Duration.ofSeconds(7);

  private final List<Reader> readers = new ArrayList<>();

  private final Log log =
      (Log)
          Proxy.newProxyInstance(
              Log.class.getClassLoader(),
              new Class<?>[] {Log.class},
              (_, method, _) -> {
                assertEquals("reader", method.getName());
                readers.add(new Reader());
                return readers.getLast();
              });

  private final Inbox inbox = new Inbox(log, "member");

  /// A reader that returns, or throws, what it was given.
  private static final class Reader implements SplitReader {
    private final Set<Split> splits = new LinkedHashSet<>();
    private final Queue<Object> coming = new ArrayDeque<>();
    private final List<Duration> waits = new ArrayList<>();
    private boolean closed;

    void brings(Split split, long offset) {
      RecordBatch batch = RecordBatch.create().reset(split, new byte[0], 0);
      batch.append(offset, 0);
      coming.add(batch);
    }

    @Override
    public void add(Split split, Position start) {
      splits.add(split);
    }

    @Override
    public void remove(Split split) {
      splits.remove(split);
    }

    @Override
    public void pause(Split split) {}

    @Override
    public void resume(Split split) {}

    @Override
    public RecordBatch poll(Duration atMost) {
      Object next = coming.poll();
      if (next instanceof LogException e) {
        throw e;
      }
      if (next == null && !atMost.isZero()) {
        waits.add(atMost);
      }
      return (RecordBatch) next;
    }

    @Override
    public long endOffset(Split split) {
      return -1;
    }

    @Override
    public void wakeup() {}

    @Override
    public void close() {
      closed = true;
    }
  }

  private Reader begin() {
    inbox.add(SIGNS, Position.of(0));
    inbox.add(DECISIONS, Position.of(0));
    return readers.getLast();
  }

  private void assertNext(long offset, Split split) {
    RecordBatch batch = inbox.next(split);
    assertTrue(batch != null && batch.split().equals(split));
    assertEquals(offset + 1, batch.nextOffset());
  }

  @Test
  void oneReaderReadsAllAndEachOwnerGetsItsOwnInOrder() {
    Reader reader = begin();
    assertEquals(1, readers.size());
    reader.brings(SIGNS, 0);
    reader.brings(SIGNS, 1);
    reader.brings(DECISIONS, 5);
    assertNext(5, DECISIONS);
    assertNull(inbox.next(DECISIONS));
    assertNext(0, SIGNS);
    assertNext(1, SIGNS);
    assertNull(inbox.next(SIGNS));
  }

  @Test
  void whatHasComeAndWasNotTakenEndsOneWait() {
    Reader reader = begin();
    reader.brings(SIGNS, 0);
    assertNull(inbox.next(DECISIONS));
    inbox.await(LONG);
    assertEquals(List.of(), reader.waits);
    inbox.await(LONG); // its owner does not want it now
    assertEquals(List.of(LONG), reader.waits);
    assertNext(0, SIGNS);
    reader.brings(SIGNS, 1);
    inbox.await(LONG);
    assertNext(1, SIGNS);
    inbox.await(LONG);
    assertEquals(List.of(LONG, LONG), reader.waits);
  }

  @Test
  void aWakeUpEndsTheNextWaitWhateverIsAskedBeforeIt() {
    Reader reader = begin();
    inbox.wakeup();
    assertNull(inbox.next(SIGNS));
    inbox.await(LONG);
    assertEquals(List.of(), reader.waits);
    inbox.await(LONG);
    assertEquals(List.of(LONG), reader.waits);
  }

  @Test
  void whatIsWrongWithOneSplitIsToldToItsOwnerAlone() {
    Reader reader = begin();
    reader.coming.add(new LogException(LogException.Kind.POSITION_LOST, SIGNS, "lost", null));
    reader.brings(DECISIONS, 3);
    assertNext(3, DECISIONS);
    assertEquals(Set.of(DECISIONS), reader.splits);
    assertThrows(LogException.class, () -> inbox.next(SIGNS));
    inbox.remove(SIGNS);
    inbox.add(SIGNS, Position.of(0));
    assertEquals(Set.of(DECISIONS, SIGNS), reader.splits);
  }

  @Test
  void whatIsWrongWithTheReaderIsToldToEachAndThenItIsAnotherReader() {
    Reader reader = begin();
    reader.coming.add(new LogException(LogException.Kind.UNAVAILABLE, "away"));
    assertThrows(LogException.class, () -> inbox.next(DECISIONS));
    assertTrue(reader.closed);
    inbox.remove(DECISIONS);
    inbox.add(DECISIONS, Position.of(0));
    assertEquals(2, readers.size());
    assertThrows(LogException.class, () -> inbox.next(SIGNS));
    inbox.remove(SIGNS);
    assertNull(inbox.next(SIGNS));
    inbox.add(SIGNS, Position.of(0));
    assertEquals(2, readers.size());
    assertEquals(Set.of(DECISIONS, SIGNS), readers.getLast().splits);
  }
}
