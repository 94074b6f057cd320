package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A broker holds its clients to quotas, for longer than a request may take: nothing is lost or
/// doubled, order is kept, and so is the quota.
@Tag("thorough")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuotasTest {
  private static final int BYTES_PER_SECOND = 60_000;
  private static final int VALUE_BYTES = 1_000;
  private static final int TRANSACTIONS = 4;

  /// Of a transaction, for each split: at the quota's rate that takes longer than a request may.
  private static final int VALUES = 75;

  private static final List<String> TINY_WINDOWS =
      List.of(
          "quota.window.num=2",
          "quota.window.size.seconds=1",
          "controller.quota.window.num=2",
          "controller.quota.window.size.seconds=1");

  /// What a broker lets pass before it has measured a rate, and its rounding.
  private static final Duration BURST = Duration.ofSeconds(4);

  private static final Map<String, String> SHORT_REQUESTS = Map.of("request.timeout.ms", "1500");

  private BrokerProcess broker;
  private Admin admin;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    broker = new BrokerProcess(directory, TINY_WINDOWS.toArray(String[]::new));
    admin = Admin.create(Map.of("bootstrap.servers", (Object) broker.servers()));
  }

  @AfterAll
  void end() throws Exception {
    admin.close();
    broker.close();
  }

  private static ClientQuotaEntity everyClient() {
    Map<String, String> each = new HashMap<>();
    each.put(ClientQuotaEntity.CLIENT_ID, null);
    return new ClientQuotaEntity(each);
  }

  /// @param value null for none
  private void quota(ClientQuotaEntity of, String name, Double value) throws Exception {
    var op = new ClientQuotaAlteration.Op(name, value);
    admin.alterClientQuotas(List.of(new ClientQuotaAlteration(of, List.of(op)))).all().get();
    LogBench.await("the broker knows the quota", () -> known(of, name, value));
  }

  private boolean known(ClientQuotaEntity of, String name, Double value) {
    try {
      Map<String, Double> found =
          admin
              .describeClientQuotas(ClientQuotaFilter.all())
              .entities()
              .get()
              .getOrDefault(of, Map.of());
      return value == null ? !found.containsKey(name) : value.equals(found.get(name));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void removeQuotas() throws Exception {
    for (String name :
        List.of("producer_byte_rate", "consumer_byte_rate", "controller_mutation_rate")) {
      quota(everyClient(), name, null);
    }
  }

  private LogBench bench(DataPlane plane) {
    return new LogBench(broker.servers(), plane, SHORT_REQUESTS);
  }

  private static String[] values(int transaction, int split, int count) {
    String[] values = new String[count];
    for (int i = 0; i < count; i++) {
      String name = "%d.%d.%d ".formatted(transaction, split, i);
      values[i] = name + "x".repeat(VALUE_BYTES - name.length());
    }
    return values;
  }

  /// Transactions with positions; what was sent to each split.
  private static List<List<String>> write(
      LogBench bench, TransactionalWriter writer, List<Split> splits, int transactions, int count) {
    List<List<String>> sent = new ArrayList<>();
    splits.forEach(_ -> sent.add(new ArrayList<>()));
    String group = LogBench.uniqueName("group");
    for (int number = 0; number < transactions; number++) {
      for (int i = 0; i < splits.size(); i++) {
        String[] values = values(number, i, count);
        writer.send(splits.get(i), bench.batch(values));
        sent.get(i).addAll(Arrays.asList(values));
      }
      writer.sendPositions(group, Map.of(splits.getFirst(), Position.of(number)));
      LogBench.commit(writer);
    }
    long last = transactions - 1L;
    LogBench.await(
        "the position is there",
        () -> bench.log.committedPositions(group).equals(Map.of(splits.getFirst(), last)));
    return sent;
  }

  private static Duration since(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  private static void assertKept(long bytes, Duration took) {
    Duration least = Duration.ofMillis(bytes * 1_000 / BYTES_PER_SECOND).minus(BURST);
    assertTrue(least.isPositive(), "Too little to tell: " + least);
    assertTrue(took.compareTo(least) >= 0, () -> bytes + " bytes in " + took);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenKeepsToTheQuota(DataPlane plane) throws Exception {
    try (LogBench bench = bench(plane)) {
      List<Split> splits = bench.splits(2, Map.of());
      quota(everyClient(), "producer_byte_rate", (double) BYTES_PER_SECOND);
      long start = System.nanoTime();
      List<List<String>> sent = write(bench, bench.openWriter(), splits, TRANSACTIONS, VALUES);
      assertKept((long) TRANSACTIONS * VALUES * VALUE_BYTES * splits.size(), since(start));
      for (int i = 0; i < splits.size(); i++) {
        assertEquals(sent.get(i), bench.values(splits.get(i)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsReadKeepsToTheQuota(DataPlane plane) throws Exception {
    try (LogBench bench = bench(plane)) {
      List<Split> splits = bench.splits(2, Map.of());
      List<List<String>> sent = write(bench, bench.openWriter(), splits, TRANSACTIONS, VALUES);
      splits.forEach(bench::awaitDecided);
      quota(everyClient(), "consumer_byte_rate", (double) BYTES_PER_SECOND);
      long start = System.nanoTime();
      List<List<String>> read = read(bench, splits, TRANSACTIONS * VALUES);
      assertKept((long) TRANSACTIONS * VALUES * VALUE_BYTES * splits.size(), since(start));
      assertEquals(sent, read);
    }
  }

  private static List<List<String>> read(LogBench bench, List<Split> splits, int count) {
    SplitReader reader = bench.reader();
    List<List<String>> read = new ArrayList<>();
    for (Split split : splits) {
      reader.add(split, Position.of(0));
      read.add(new ArrayList<>());
    }
    LogBench.await(
        "all is read",
        () -> {
          RecordBatch batch = reader.poll(Duration.ofMillis(100));
          if (batch != null) {
            List<String> values = read.get(splits.indexOf(batch.split()));
            for (int i = 0; i < batch.size(); i++) {
              values.add(batch.value(i, new Bytes()).toUtf8());
            }
            batch.release();
          }
          return read.stream().allMatch(each -> each.size() >= count);
        });
    return read;
  }

  /// So little that the broker asks for a second of silence, the most it does, after each request
  /// of more than a microsecond. It is the writer's alone: brokers ask each other as clients, too.
  @ParameterizedTest
  @EnumSource
  void requestsKeepToTheirQuota(DataPlane plane) throws Exception {
    try (LogBench bench = bench(plane)) {
      List<Split> splits = bench.splits(1, Map.of());
      String id = LogBench.uniqueName("writer");
      ClientQuotaEntity writer =
          new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "test-" + id + "-2"));
      quota(writer, "request_percentage", 0.001);
      int transactions = 3;
      long start = System.nanoTime();
      List<List<String>> sent =
          write(bench, bench.openWriter(id, LogBench.TIMEOUT), splits, transactions, 1);
      Duration took = since(start);
      assertTrue(took.toSeconds() >= transactions, () -> "It took " + took);
      assertEquals(sent.getFirst(), bench.values(splits.getFirst()));
    }
  }

  @Test
  void topicsAreMadeOnceTheQuotaAllowsIt() throws Exception {
    try (LogBench bench = bench(DataPlane.DIRECT)) {
      quota(everyClient(), "controller_mutation_rate", 1.0);
      long start = System.nanoTime();
      for (int i = 0; i < 3; i++) {
        assertEquals(4, bench.splits(4, Map.of()).size());
      }
      Duration took = since(start);
      assertTrue(took.toSeconds() >= 4, () -> "It took " + took);
    }
  }

  @Test
  void aTopicThatTheQuotaDoesNotAllowInTimeIsNamed() throws Exception {
    Map<String, String> properties =
        Map.of("request.timeout.ms", "1500", "default.api.timeout.ms", "2000");
    try (LogBench bench = new LogBench(broker.servers(), DataPlane.DIRECT, properties)) {
      quota(everyClient(), "controller_mutation_rate", 0.1);
      List<String> topics = new ArrayList<>();
      LogException failure =
          assertThrows(
              LogException.class,
              () -> {
                for (int i = 0; i < 3; i++) {
                  topics.add(LogBench.uniqueName("topic"));
                  bench.log.createTopic(new TopicSpec(topics.getLast(), 4, -1, Map.of()));
                }
              });
      assertEquals(LogException.Kind.UNAVAILABLE, failure.kind());
      String message = failure.getMessage();
      assertTrue(message.contains(topics.getLast()), message);
      assertTrue(message.contains("controller_mutation_rate"), message);
    }
  }
}
