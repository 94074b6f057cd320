package dev.millrace.internal.engine.operators.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.KeyedValue;
import dev.millrace.internal.engine.operators.Reference;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What operators keep and send, with values whose record evolved. Written for the older version it
/// has the bytes that the older version itself writes.
class OlderFormatsTest {
  private record Before(int n) {}

  private record After(@Was("n") long visits) {}

  @SuppressWarnings("unchecked")
  private static final Serde<Object> OLD = (Serde<Object>) Serdes.forType(Before.class);

  @SuppressWarnings("unchecked")
  private static final Serde<Object> NEW = (Serde<Object>) Serdes.forType(After.class);

  @SuppressWarnings("unchecked")
  private static final Serde<Object> KEYS = (Serde<Object>) Serdes.forType(String.class);

  private static <T> byte[] bytes(Serde<T> serde, T value) {
    BytesWriter out = new BytesWriter();
    serde.write(value, out);
    return out.toByteArray();
  }

  private static <T> void assertSame(Serde<T> old, T oldValue, Serde<T> now, T value) {
    Serde<T> older = now.writingAs(old.schema()).orElseThrow(() -> new AssertionError(now.id()));
    assertEquals(old.schema(), older.schema());
    byte[] written = bytes(older, value);
    assertArrayEquals(bytes(old, oldValue), written, now.id());
    assertArrayEquals(bytes(now, value), bytes(now, now.read(Bytes.of(bytes(now, value)))));
    now.read(Bytes.of(written));
  }

  private static Bag bag(Serde<Object> values, Object... all) {
    Bag bag = null;
    for (Object each : all) {
      bag = Bag.with(bag, values, each);
    }
    return Objects.requireNonNull(bag);
  }

  private static Retained retained(Serde<Object> values, Object... all) {
    Retained retained = new Retained();
    for (Object each : all) {
      retained.add(values, each);
    }
    return retained;
  }

  @Test
  void formatsOfOneValueAreThoseOfTheOlderVersion() {
    assertSame(
        new Version.Format(OLD), new Version(new Before(7)),
        new Version.Format(NEW), new Version(new After(7)));
    assertSame(new Version.Format(OLD), Version.NONE, new Version.Format(NEW), Version.NONE);
    assertSame(
        new TimedValue.Format(OLD), new TimedValue(5, new Before(7)),
        new TimedValue.Format(NEW), new TimedValue(5, new After(7)));
    assertSame(
        new Tagged.Format(List.of(KEYS, OLD)), new Tagged(1, new Before(7)),
        new Tagged.Format(List.of(KEYS, NEW)), new Tagged(1, new After(7)));
    assertSame(
        new KeyedValue.Format(KEYS, OLD), new KeyedValue("k", new Before(7)),
        new KeyedValue.Format(KEYS, NEW), new KeyedValue("k", new After(7)));
    assertSame(
        new Reference.Format(new KeyedValue.Format(KEYS, OLD)),
        new Reference(new KeyedValue("k", new Before(7)), true, null),
        new Reference.Format(new KeyedValue.Format(KEYS, NEW)),
        new Reference(new KeyedValue("k", new After(7)), true, null));
  }

  @Test
  void valuesThatAreEncodedAlreadyAreWrittenAnew() {
    assertSame(
        new Bag.Format(OLD), bag(OLD, new Before(1), new Before(0)),
        new Bag.Format(NEW), bag(NEW, new After(1), new After(0)));
    assertSame(
        new Bag.Format(OLD), bag(OLD, new Before(1), new Before(2)),
        new Bag.Format(NEW), Bag.with(bag(OLD, new Before(1)), NEW, new After(2)));
    assertSame(
        new Retained.Format(OLD), retained(OLD, new Before(1), new Before(2)),
        new Retained.Format(NEW), retained(NEW, new After(1), new After(2)));
    assertSame(
        new Retained.Chunk(OLD), retained(OLD, new Before(1)).takeChunk(),
        new Retained.Chunk(NEW), retained(NEW, new After(1)).takeChunk());
    assertSame(
        new KeptRows.Kept.Format(List.of(KEYS, OLD)), kept(OLD, new Before(7)),
        new KeptRows.Kept.Format(List.of(KEYS, NEW)), kept(NEW, new After(7)));
  }

  /// A value of input 1, a key that is gone of input 1, and a text of input 0 that is retracted.
  private static KeptRows.Kept kept(Serde<Object> values, Object value) {
    BytesWriter out = new BytesWriter();
    out.writeInt(4 | 2);
    Frames.write(values, value, out);
    out.writeInt(4);
    out.writeInt(2 | 1);
    Frames.write(KEYS, "text", out);
    return new KeptRows.Kept(Bytes.of(out.toByteArray()));
  }

  @Test
  void aValueIsTakenOutThatAnOlderVersionWrote() {
    Bag bag = bag(OLD, new Before(1), new Before(2));
    Bag rest = Objects.requireNonNull(bag.without(NEW, new After(1)));
    assertEquals(List.of(new After(2)), rest.values(NEW));
    assertNull(bag.without(NEW, new After(3)));
    Bag mixed = Bag.with(bag, NEW, new After(1));
    assertEquals(
        List.of(new After(1), new After(2)),
        Objects.requireNonNull(mixed.without(NEW, new After(1))).values(NEW));
    Serde<Object> timed = new TimedValue.Format(NEW);
    Bytes chunk =
        retained(new TimedValue.Format(OLD), new TimedValue(5, new Before(1))).takeChunk();
    Bytes sought = Bytes.of(bytes(timed, new TimedValue(6, new After(1))));
    Bytes value = new Bytes().set(sought.array(), sought.offset() + 8, sought.length() - 8);
    assertNotNull(Retained.without(chunk, timed, value, TimedValue.HEAD_BYTES));
    assertNull(Retained.without(chunk, timed, sought, 0));
  }
}
