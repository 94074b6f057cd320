package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Dead letters by the command, of jobs on a broker.
class DeadLettersTest {
  private static final long TIME = System.currentTimeMillis() - 100_000;

  @TempDir Path directory;

  private final String name = uniqueName("amounts");

  /// Adds amounts up by key; knows currencies only once it is mended.
  private record Amounts(String name, boolean mended) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(
              Kafka.source(name + "-in")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .startAtEarliest())
          .mapValues(text -> Long.valueOf(mended ? text.replace(" EUR", "") : text))
          .as(Serdes.longs())
          .groupByKey()
          .aggregate("sums", () -> 0L, (sum, amount) -> sum + amount)
          .as(Serdes.longs())
          .toStream()
          .mapValues(sum -> sum.toString())
          .as(Serdes.string())
          .to(Kafka.sink(name + "-out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  @BeforeEach
  void topics() {
    SharedTopics.create(name + "-in", 1);
    SharedTopics.create(name + "-out", 1);
  }

  private JobConfig config() {
    return JobConfig.of(bootstrapServers())
        .withState(StateConfig.in(directory).withFlushInterval(Duration.ofSeconds(10)))
        .withErrors(ErrorConfig.defaults().withOnError(OnError.DEAD_LETTER));
  }

  private Command command(String... arguments) throws IOException {
    List<String> all = new ArrayList<>();
    all.add("dead-letters");
    all.add(arguments[0]);
    all.add("--bootstrap=" + bootstrapServers());
    all.add(name);
    all.addAll(List.of(arguments).subList(1, arguments.length));
    return Command.run(all.toArray(String[]::new));
  }

  private static KafkaProducer<String, String> producer(Map<String, Object> more) {
    Map<String, Object> all = new TreeMap<>(more);
    all.put("bootstrap.servers", bootstrapServers());
    return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
  }

  private void pay(String... keysAndAmounts) throws ExecutionException, InterruptedException {
    try (KafkaProducer<String, String> producer = producer(Map.of())) {
      for (int i = 0; i < keysAndAmounts.length; i += 2) {
        ProducerRecord<String, String> record =
            new ProducerRecord<>(
                name + "-in", 0, TIME + i, keysAndAmounts[i], keysAndAmounts[i + 1]);
        record.headers().add("number", Integer.toString(i).getBytes(StandardCharsets.UTF_8));
        producer.send(record).get();
      }
    }
  }

  private String lastSums(int records) {
    Map<String, String> last = new TreeMap<>();
    SharedTopics.read(name + "-out", records)
        .forEach(record -> last.put(record.key(), record.value()));
    return last.toString();
  }

  /// Runs the job that is not mended until its dead letters are there.
  private void runBroken(int good, int bad) throws InterruptedException {
    try (Job job = Millrace.start(new Amounts(name, false), config())) {
      SharedTopics.read(name + "-out", good);
      SharedTopics.read(name + "-dead-letters", bad);
      job.stop(Duration.ofSeconds(30));
    }
  }

  @Test
  void whatWasSentAgainIsProcessedOnceByTheMendedJob()
      throws IOException, ExecutionException, InterruptedException {
    pay("a", "1", "b", "20 EUR", "a", "3", "c", "5 EUR", "b", "7", "a", "9 USD");
    runBroken(3, 3);
    assertEquals("{a=4, b=7}", lastSums(3));

    String list = command("list").out();
    assertTrue(list.contains("For input string: \"20 EUR\""), list);
    assertTrue(list.contains("map 1"), list);
    assertTrue(list.contains(name + "-in"), list);
    assertTrue(list.contains(Instant.now().toString().substring(0, 7)), list);

    String show = command("show", "--cause=20 EUR").out();
    assertTrue(show.contains(name + "-in:0:1"), show);
    assertTrue(show.contains("value:    20 EUR"), show);
    assertTrue(show.contains("header:   number = 2"), show);
    assertFalse(show.contains("5 EUR"), show);
    String hex = command("show", "--as=hex", "--limit=1").out();
    assertTrue(hex.contains("value:    0x323020455552"), hex);
    assertTrue(hex.contains("There are more"), hex);

    String dry = command("resend", "--dry-run", "--cause=EUR").out();
    assertTrue(dry.contains("Would send 2 records to " + name + "-in."), dry);
    assertEquals(6, SharedTopics.read(name + "-in", 6).size());

    // Interrupted behind one of them, and once more with all sent and nothing committed.
    Command first = command("resend", "--cause=EUR", "--limit=1");
    assertEquals(ExitCode.DONE, first.status(), first.out());
    dieWhileSending();
    Command rest = command("resend", "--cause=EUR");
    assertEquals(ExitCode.DONE, rest.status(), rest.out());
    assertTrue(rest.out().contains("Sent 1 records to " + name + "-in."), rest.out());
    Command again = command("resend", "--cause=EUR");
    assertTrue(again.out().contains("2 were resent earlier."), again.out());

    List<ConsumerRecord<String, String>> in = SharedTopics.read(name + "-in", 8);
    assertEquals(8, in.size(), in.toString());
    assertRecord(in.get(6), "b", "20 EUR", TIME + 2, "2");
    assertRecord(in.get(7), "c", "5 EUR", TIME + 6, "6");

    try (Job job = Millrace.start(new Amounts(name, true), config())) {
      assertEquals("{a=4, b=27, c=5}", lastSums(5));
      job.stop(Duration.ofSeconds(30));
    }
    assertEquals(5, SharedTopics.read(name + "-out", 5).size());
    list = command("list").out();
    assertTrue(list.replaceAll(" +", " ").contains(name + "-in 1 1 2"), list);
    assertTrue(list.replaceAll(" +", " ").contains(name + "-in 1 0 2"), list);
  }

  @Test
  void oneThatWasLeftOutBetweenOthersIsSentLaterAndTheyAreNot()
      throws IOException, ExecutionException, InterruptedException {
    pay("a", "1", "b", "20 EUR", "c", "9 USD", "d", "5 EUR", "e", "8 USD", "f", "6 EUR");
    runBroken(1, 5);
    Command first = command("resend", "--cause=EUR");
    assertTrue(first.out().contains("Sent 3 records to " + name + "-in."), first.out());
    Command between = command("resend", "--cause=9 USD");
    assertTrue(between.out().contains("Sent 1 records to " + name + "-in."), between.out());
    Command rest = command("resend");
    assertTrue(rest.out().contains("Sent 1 records to " + name + "-in."), rest.out());
    assertTrue(rest.out().contains("4 were resent earlier."), rest.out());
    Command again = command("resend");
    assertTrue(again.out().contains("5 were resent earlier."), again.out());
    assertEquals(
        List.of("20 EUR", "5 EUR", "6 EUR", "9 USD", "8 USD"),
        SharedTopics.read(name + "-in", 11).stream().skip(6).map(ConsumerRecord::value).toList());
  }

  private static void assertRecord(
      ConsumerRecord<String, String> record, String key, String value, long time, String number) {
    assertEquals(key, record.key());
    assertEquals(value, record.value());
    assertEquals(time, record.timestamp());
    List<String> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      headers.add(header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8));
    }
    assertEquals(List.of("number=" + number, "millrace.resent=1"), headers);
  }

  /// A command that has sent everything, and has not committed when it is killed.
  private void dieWhileSending() throws ExecutionException, InterruptedException {
    KafkaProducer<String, String> dying =
        producer(Map.of("transactional.id", "millrace-resends-" + name + "-dead-letters"));
    dying.initTransactions();
    dying.beginTransaction();
    dying.send(new ProducerRecord<>(name + "-in", 0, "b", "20 EUR")).get();
    dying.send(new ProducerRecord<>(name + "-in", 0, "c", "5 EUR")).get();
    dying.close(Duration.ZERO);
  }

  @Test
  void whatFailsAgainBecomesALetterOfItsOwnThatSaysHowOftenItWasSent()
      throws IOException, ExecutionException, InterruptedException {
    pay("a", "1", "b", "x");
    runBroken(1, 1);
    assertEquals(ExitCode.DONE, command("resend").status());
    // A letter, the note that it was sent, and the letter that came of it.
    runBroken(1, 3);
    String list = command("list").out();
    assertTrue(list.replaceAll(" +", " ").contains(name + "-in 2 1 "), list);
    Command twice = command("resend");
    assertTrue(twice.out().contains("Sent 1 records"), twice.out());
    ConsumerRecord<String, String> last = SharedTopics.read(name + "-in", 4).getLast();
    Header times = last.headers().lastHeader("millrace.resent");
    assertNotNull(times);
    assertEquals("2", new String(times.value(), StandardCharsets.UTF_8));
  }

  /// Of a record that two stages read, and that failed in both, each has written a letter.
  @Test
  void aRecordWithTwoLettersIsSentOnce()
      throws IOException, ExecutionException, InterruptedException {
    pay("a", "20 EUR", "b", "5 EUR");
    SharedTopics.create(name + "-dead-letters", 1);
    letter("a", "20 EUR", 0, "0 map 1");
    letter("b", "5 EUR", 1, "0 map 1");
    letter("a", "20 EUR", 0, "1 map 7");
    letter("b", "5 EUR", 1, "1 map 7");

    Command dry = command("resend", "--dry-run");
    assertTrue(dry.out().contains("Would send 2 records"), dry.out());
    Command one = command("resend", "--operator=1 map 7", "--limit=1");
    assertTrue(one.out().contains("Sent 1 records"), one.out());
    Command rest = command("resend");
    assertTrue(rest.out().contains("Sent 1 records"), rest.out());
    Command again = command("resend");
    assertTrue(again.out().contains("4 were resent earlier"), again.out());
    List<String> keys =
        SharedTopics.read(name + "-in", 4).stream().map(ConsumerRecord::key).toList();
    assertEquals(List.of("a", "b", "a", "b"), keys);
  }

  private void letter(String key, String value, int offset, String operator)
      throws ExecutionException, InterruptedException {
    try (KafkaProducer<String, String> producer = producer(Map.of())) {
      ProducerRecord<String, String> letter =
          new ProducerRecord<>(name + "-dead-letters", 0, key, value);
      Map<String, String> headers = new LinkedHashMap<>();
      headers.put("millrace.topic", name + "-in");
      headers.put("millrace.partition", "0");
      headers.put("millrace.offset", Integer.toString(offset));
      headers.put("millrace.timestamp", Long.toString(TIME + 2 * offset));
      headers.put("millrace.operator", operator);
      headers.put("millrace.cause", "cannot be read");
      headers.forEach(
          (header, text) -> letter.headers().add(header, text.getBytes(StandardCharsets.UTF_8)));
      producer.send(letter).get();
    }
  }

  @Test
  void aResultIsListedAndNotSent() throws IOException, ExecutionException, InterruptedException {
    SharedTopics.create(name + "-dead-letters", 1);
    try (KafkaProducer<String, String> producer = producer(Map.of())) {
      ProducerRecord<String, String> letter =
          new ProducerRecord<>(name + "-dead-letters", 0, "k", "v");
      Map<String, String> headers = new TreeMap<>();
      headers.put("millrace.kind", "result");
      headers.put("millrace.source", "sums");
      headers.put("millrace.task", "0-1");
      headers.put("millrace.window", "2026-01-01T00:00:00Z/2026-01-01T00:01:00Z");
      headers.put("millrace.operator", "map 7");
      headers.put("millrace.cause", "cannot be told");
      headers.forEach(
          (key, value) -> letter.headers().add(key, value.getBytes(StandardCharsets.UTF_8)));
      producer.send(letter).get();
    }
    Command resend = command("resend");
    assertEquals(ExitCode.FAILED, resend.status(), resend.out());
    assertTrue(resend.out().contains("1 cannot be sent"), resend.out());
    assertTrue(
        resend
            .out()
            .contains(
                "result of 'sums', task 0-1, window 2026-01-01T00:00:00Z/2026-01-01T00:01:00Z"),
        resend.out());
    assertTrue(command("list").out().contains("Letters from '-' are results"), "list");
  }

  @Test
  void whatIsWrongIsSaid() throws IOException {
    Command missing = command("list");
    assertEquals(ExitCode.USAGE, missing.status(), missing.out());
    assertTrue(missing.out().contains("errors.on-error: dead-letter"), missing.out());
    Command both = command("list", "--topic=other");
    assertEquals(ExitCode.USAGE, both.status(), both.out());
    Command offsets = command("show", "--offsets=a-b");
    assertEquals(ExitCode.USAGE, offsets.status(), offsets.out());
  }
}
