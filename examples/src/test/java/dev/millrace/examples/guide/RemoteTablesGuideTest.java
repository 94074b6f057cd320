package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.examples.guide.RemoteTablesGuide.Order;
import dev.millrace.examples.guide.RemoteTablesGuide.Sale;
import dev.millrace.examples.remote.PostgresServer;
import dev.millrace.examples.remote.RedisServer;
import dev.millrace.testkit.job.TestInput;
import dev.millrace.testkit.job.TestJob;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/// Orders are priced by a table in PostgreSQL, and what becomes of them is written to it and to
/// Redis, while the job is killed; at the end all is as one look at all orders has it.
class RemoteTablesGuideTest {
  private static final int CUSTOMERS = 40;
  private static final int PRODUCTS = 25;
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir private static Path directory;
  private static PostgresServer postgres;
  private static RedisServer redis;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    postgres = PostgresServer.start();
    redis = RedisServer.start(directory);
  }

  @AfterAll
  static void end() throws IOException {
    postgres.close();
    redis.close();
  }

  @Test
  void nothingIsSeenOfCrashes() throws SQLException {
    for (long seed = 1; seed <= 2; seed++) {
      try (TestJob job = TestJob.of(application()).seed(seed)) {
        check(job, seed, 3_000, 4);
      }
    }
  }

  @Test
  @Tag("thorough")
  void norOnKafka() throws SQLException {
    try (TestJob job = TestJob.onKafka(application())) {
      check(job, 3, 2_000, 1);
    }
  }

  /// With tables that are as at the beginning: there are no products with odd numbers beyond ten,
  /// and no names of customers with odd numbers.
  private static RemoteTablesGuide application() throws SQLException {
    try (Connection connection = postgres.database().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("drop table if exists products, last_sales");
      statement.execute("create table products (id text primary key, name text, cents bigint)");
      statement.execute(
          "create table last_sales (customer text primary key, product text, version bigint)");
      for (int i = 0; i < PRODUCTS; i++) {
        if (exists(i)) {
          statement.execute(
              "insert into products values ('p%d', '%s', %d)"
                  .formatted(i, productName(i), cents(i)));
        }
      }
    }
    try (Jedis client = redis.clients().getResource()) {
      client.flushAll();
      for (int i = 0; i < CUSTOMERS; i += 2) {
        client.set("name:c" + i, "Customer " + i);
      }
    }
    return new RemoteTablesGuide(postgres.database(), redis.clients());
  }

  private static boolean exists(int product) {
    return product < 10 || product % 2 == 0;
  }

  private static String productName(int product) {
    return "product " + product;
  }

  private static long cents(int product) {
    return 100L + product;
  }

  /// What should be there, by one look at each order.
  private static final class Oracle {
    private final Map<String, List<Object>> sales = new TreeMap<>();
    private final Map<String, List<Object>> letters = new TreeMap<>();
    private final Map<String, String> lastSales = new TreeMap<>();
    private final Map<String, Long> spent = new TreeMap<>();

    void add(int customer, int product, int count) {
      String key = "c" + customer;
      letters
          .computeIfAbsent(key, _ -> new ArrayList<>())
          .add(customer % 2 == 0 ? "Dear Customer " + customer : "Dear customer");
      if (exists(product)) {
        Sale sale = new Sale(productName(product), count * cents(product));
        sales.computeIfAbsent(key, _ -> new ArrayList<>()).add(sale);
        lastSales.put(key, sale.product());
        spent.merge(key, sale.cents(), Long::sum);
      }
    }

    Map<String, Long> positive() {
      Map<String, Long> positive = new TreeMap<>(spent);
      positive.values().removeIf(cents -> cents <= 0);
      return positive;
    }
  }

  /// @param times how often something happens to the job in between
  private static void check(TestJob job, long seed, int orders, int times) throws SQLException {
    Random random = new Random(seed);
    Oracle oracle = new Oracle();
    TestInput<Object, Object> input = job.input("orders");
    for (int i = 0; i < orders; i++) {
      int customer = random.nextInt(CUSTOMERS);
      int product = random.nextInt(PRODUCTS);
      int count = random.nextInt(9) - 4;
      oracle.add(customer, product, count);
      input.send(
          "c" + customer,
          new Order("c" + customer, "p" + product, count, NOON.plusMillis(100L * i)));
      if (i % (orders / times) == orders / times / 2) {
        disturb(job, i / (orders / times));
      }
    }
    // What waits for an answer may need longer than the job is quiet for.
    job.advance(Duration.ofSeconds(1));
    oracle.sales.forEach((key, all) -> job.output("sales").hasValuesOf(key, all.toArray()));
    oracle.letters.forEach((key, all) -> job.output("letters").hasValuesOf(key, all.toArray()));
    assertEquals(oracle.lastSales, lastSales());
    assertEquals(oracle.positive(), spent());
  }

  private static void disturb(TestJob job, int time) {
    switch (time) {
      case 1 -> job.restart();
      case 2 -> job.crashLosingDisks();
      default -> job.crash();
    }
  }

  private static Map<String, String> lastSales() throws SQLException {
    Map<String, String> found = new TreeMap<>();
    try (Connection connection = postgres.database().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select customer, product from last_sales")) {
      while (rows.next()) {
        found.put(rows.getString(1), rows.getString(2));
      }
    }
    return found;
  }

  private static Map<String, Long> spent() {
    Map<String, Long> found = new TreeMap<>();
    try (Jedis client = redis.clients().getResource()) {
      for (String key : client.keys("spent:*")) {
        String cents = client.hget(key, "value");
        if (cents != null) {
          found.put(key.substring("spent:".length()), Long.parseLong(cents));
        }
      }
    }
    return found;
  }
}
