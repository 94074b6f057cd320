package dev.millrace.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.spi.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/// What the benchmarks measure does what it is said to do.
class ResultsTest {
  private static final Order[] ORDERS =
      IntStream.range(0, CodecBenchmark.ORDERS).mapToObj(Order::of).toArray(Order[]::new);

  @Test
  void whatIsEncodedIsAsLongAsKafkaMakesItAndWhatIsParsedIsAllOfIt() {
    WireBenchmark wire = new WireBenchmark();
    wire.setUp();

    SimpleRecord[] records = new SimpleRecord[Records.SLICE];
    for (int i = 0; i < records.length; i++) {
      ByteBuffer key = ByteBuffer.wrap(Records.key(i));
      records[i] =
          new SimpleRecord(1_700_000_000_000L + i, key, ByteBuffer.allocate(Records.VALUE_BYTES));
    }
    int expected = MemoryRecords.withRecords(Compression.NONE, records).sizeInBytes();

    assertEquals(expected, wire.encode());
    assertEquals(expected, wire.encode(), "again, into the same memory");
    assertEquals(Records.SLICE - 1, wire.parse(), "the first and the last number");
    assertEquals(Records.SLICE - 1, wire.parse());
  }

  @Test
  void recordsAreReadAsTheyWereWritten() {
    CodecBenchmark codec = new CodecBenchmark();
    codec.setUp();

    assertArrayEquals(ORDERS, codec.readGenerated().clone());
    assertArrayEquals(ORDERS, codec.readByHand().clone());
    assertArrayEquals(ORDERS, codec.readKeys().clone());
    Bytes first = new Bytes();
    codec.writeGenerated().view(first, 0);
    first.set(first.array(), 0, codec.generatedLength());
    assertEquals(ORDERS[0], Serdes.record(Order.class).read(first));
  }

  @Test
  void jsonIsReadInThreeWaysAsTheSame() {
    JsonBenchmark json = new JsonBenchmark();
    json.setUp();

    assertArrayEquals(ORDERS, json.read().clone());
    assertArrayEquals(ORDERS, json.readTree().clone());
    assertArrayEquals(ORDERS, json.readByHand().clone());
    String text = json.write().view(new Bytes(), 0).toUtf8();
    assertTrue(
        text.startsWith(
            "{\"id\":1000000,\"customer\":\"customer-0\",\"status\":\"PLACED\",\"items\":1,"
                + "\"total\":0.0,\"at\":\"2023-11-14T22:13:20Z\",\"paid\":true,"
                + "\"note\":\"as seen in shop 0\"}{\"id\":1000001,"),
        text.substring(0, 200));
  }

  @Test
  void numbersAndTextsInTheStoreAreThoseOfAllPasses() {
    StoreBenchmark store = new StoreBenchmark();
    store.keys = Records.SLICE / 2;
    store.setUp();

    assertEquals(2, store.count(), "each key twice");
    assertEquals(4, store.count());
    assertEquals(Records.SLICE, store.read(), "a letter each time");
    // The second half of the updates finds what the first has put.
    assertEquals(Records.SLICE / 2, store.replace());
    assertEquals(Records.SLICE / 2, store.replace());
    assertEquals(Records.SLICE, store.read());
    store.close();
  }

  @Test
  void aCommitHasEachChangedKeyOnce() {
    ChangelogBenchmark changelog = new ChangelogBenchmark();
    changelog.setUp();
    for (int i = 0; i < 3; i++) {
      changelog.change();
      changelog.change();
      assertEquals(ChangelogBenchmark.KEYS, changelog.commit());
    }
    changelog.close();
  }

  @Test
  void operatorsDoWhatTheLoopByHandDoes() {
    RecordBatch numbers = Records.batch(Pipelines.IN, Records.SLICE, 512, Long.BYTES);
    List<Long> expected = new ArrayList<>();
    for (long i = 0; i < Records.SLICE; i++) {
      long next = i + 1;
      long tripled = next * 3;
      if (next % 16 != 0 && tripled % 5 != 0 && tripled % 64 == 7) {
        expected.add(tripled);
      }
    }
    assertTrue(expected.size() > 20, expected::toString);
    assertEquals(expected, through(Pipelines.five(), numbers));

    ChainBenchmark chains = new ChainBenchmark();
    chains.others = Pipelines.OTHERS;
    chains.setUp();
    assertEquals(expected.size(), chains.fiveOperators());
    assertEquals(expected.size(), chains.fiveByHand());
    assertEquals(Records.SLICE, chains.pass());
    assertEquals(0, chains.count());
    assertEquals(0, chains.count());
    assertEquals(2L * Records.SLICE, chains.counted());
    chains.close();
  }

  @Test
  void eventsAreMadeOneAfterTheOther() {
    NexmarkBenchmark nexmark = new NexmarkBenchmark();
    Event[] first = nexmark.make().clone();
    Event[] then = nexmark.make();
    assertEquals(
        NexmarkBenchmark.EVENTS * 92 / 100,
        Arrays.stream(first).filter(each -> each instanceof Bid).count());
    long last = first[first.length - 1].timeMillis();
    assertTrue(Arrays.stream(then).allMatch(each -> each.timeMillis() >= last));
    assertTrue(then[then.length - 1].timeMillis() > last);
  }

  @Test
  void whatPassesThroughIsUnchanged() {
    RecordBatch numbers = Records.batch(Pipelines.IN, Records.SLICE, 512, Long.BYTES);
    assertEquals(
        IntStream.range(0, Records.SLICE).mapToObj(i -> (long) i).toList(),
        through(Pipelines.pass(), numbers));
  }

  private static List<Long> through(StreamApplication application, RecordBatch batch) {
    List<Long> left = new ArrayList<>();
    try (Running running = new Running(application)) {
      running.process(batch);
      Bytes view = new Bytes();
      for (RecordBatch each : running.take()) {
        for (int i = 0; i < each.size(); i++) {
          left.add(Serdes.longs().read(each.value(i, view)));
        }
        each.release();
      }
    }
    return left;
  }
}
