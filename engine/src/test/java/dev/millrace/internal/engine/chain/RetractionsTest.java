package dev.millrace.internal.engine.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What becomes of rows that take back others where they leave a task.
class RetractionsTest {
  private static final String OUT = "out";

  @SuppressWarnings("unchecked")
  private static final Serde<Object> TEXT = (Serde<Object>) (Serde<?>) Serdes.string();

  private static final RecordLimit LIMIT = new RecordLimit(1_000, "'out'", "raise it");

  private final Outbox outbox = new Outbox("app-changelog", 64L << 20);
  private final Step.Place place = new Step.Place(new Probe(1));
  private final Rows rows = new Rows();

  @Test
  void aSinkGetsWhatTakesTheirPlace() {
    rows.startMade(null);
    retract("a", "old");
    emit("a", "new");
    retract("b", "gone");
    emit("c", "first");
    retract("c", "first");
    sink(false).process(rows);
    assertEquals(List.of("a=new", "b=null", "c=first", "c=null"), written());
  }

  @Test
  void withoutAKeyThereIsNobodyToTell() {
    rows.startMade(null);
    retract(null, "old");
    emit(null, "new");
    sink(false).process(rows);
    assertEquals(List.of("null=new"), written());
  }

  @Test
  void aSinkThatWantsThemGetsThemMarked() {
    rows.startMade(null);
    retract("a", "old");
    emit("a", "new");
    sink(true).process(rows);
    assertEquals(List.of("a=old[millrace.retraction]", "a=new"), written());
  }

  @Test
  void whatIsTakenBackHasTheHeadersThatWereSet() {
    rows.startMade(null);
    retract("a", "old");
    emit("a", "new");
    retract("b", "gone");
    var named =
        Kafka.sink(OUT)
            .key(TEXT)
            .value(TEXT)
            .headers((record, headers) ->
                headers.add(
                    "%s %s %s".formatted(record.key(), record.value(), record.isRetraction()),
                    null));
    sink(true, named).process(rows);
    assertEquals(
        List.of(
            "a=old[a old true, millrace.retraction]",
            "a=new[a new false]",
            "b=gone[b gone true, millrace.retraction]"),
        written());
    sink(false, named).process(rows);
    assertEquals(List.of("a=new[a new false]", "b=null[b gone true]"), written());
  }

  @Test
  void anExchangeCarriesThem() {
    rows.startMade(null);
    retract("a", "old");
    emit("a", "new");
    exchange().process(rows);
    RecordBatch batch = outbox.drain().getFirst();
    assertTrue(Retraction.isMarked(batch, 0));
    assertEquals("old", batch.value(0, new Bytes()).toUtf8());
    assertTrue(!Retraction.isMarked(batch, 1));
  }

  @Test
  void noHeadersOfAnApplicationAreTakenForThem() {
    RecordBatch batch = RecordBatch.create();
    batch.append(0, 1);
    int start = batch.data().length();
    TEXT.write("value", batch.data());
    batch.endValue(start);
    start = batch.data().length();
    Headers.begin(1, batch.data());
    Headers.write("", null, batch.data());
    batch.endHeaders(start);
    rows.startUndecoded(batch, TEXT);
    rows.addOrigin(0, 1);
    Step exchange = exchange();
    assertThrows(SerdeException.class, () -> exchange.process(rows));
  }

  @Test
  void rowsMadeOfThemTakeBackAsWell() {
    rows.startMade(null);
    emit("a", "one");
    retract("b", "two");
    for (int i = 0; i < 200; i++) {
      emit("c" + i, "more");
    }
    Rows selected = new Rows();
    selected.startSelected(rows);
    Rows made = new Rows();
    made.startMade(rows);
    Rows results = new Rows();
    results.startMade(rows);
    for (int i = 0; i < rows.size(); i++) {
      selected.addSelected(rows, i, rows.value(i));
      made.addMade(rows, i, "made", 1, true);
      results.addResult(rows, i, "result", 1, true);
    }
    for (int i = 0; i < rows.size(); i++) {
      assertEquals(i == 1, selected.isRetraction(i));
      assertEquals(i == 1, made.isRetraction(i));
      assertEquals(false, results.isRetraction(i));
    }
    rows.startMade(null);
    emit("a", "one");
    emit("b", "two");
    assertEquals(false, rows.isRetraction(1));
  }

  private void emit(String key, String value) {
    rows.addOwn(key == null ? null : Bytes.ofUtf8(key), value, 1, ResultOrigins.UNKNOWN);
  }

  private void retract(String key, String value) {
    emit(key, value);
    rows.retract();
  }

  private Step sink(boolean retractions) {
    return sink(retractions, Kafka.sink(OUT).key(TEXT).value(TEXT));
  }

  private Step sink(boolean retractions, KafkaKeyedSink<Object, Object> topic) {
    Node in = new Node.Input(0, Kafka.source("in").value(TEXT), false, false, false);
    Node.Output output = new Node.Output(1, in, topic, null);
    SendTarget target =
        SendTarget.sink(
            outbox.stream(OUT, 1),
            0,
            retractions,
            null,
            Setting.of(output.written(), TEXT),
            TimestampRule.ofSink(
                Running.sink(OUT), Timestamps.EVENT_TIME, false, () -> Running.TIME),
            LIMIT);
    return target.step("sink", place, output);
  }

  private Step exchange() {
    Node in = new Node.Input(0, Kafka.source("in").value(TEXT), false, false, false);
    return SendTarget.exchange(outbox.stream(OUT, 1), LIMIT)
        .step(
            place,
            new Node.Exchange(
                1, "by-value", in, value -> value, null, TEXT, TEXT, "", Parameters.NONE),
            TEXT);
  }

  private List<String> written() {
    List<String> written = new ArrayList<>();
    Bytes view = new Bytes();
    for (RecordBatch batch : outbox.drain()) {
      for (int i = 0; i < batch.size(); i++) {
        String key = batch.hasKey(i) ? batch.key(i, view).toUtf8() : "null";
        String value = batch.hasValue(i) ? batch.value(i, view).toUtf8() : "null";
        List<String> headers = new ArrayList<>();
        Headers.visit(batch.headers(i, view), (name, _) -> headers.add(name));
        written.add(key + "=" + value + (headers.isEmpty() ? "" : headers));
      }
    }
    return written;
  }
}
