package dev.millrace.examples.guide;

import static dev.millrace.api.With.remote;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Call;
import dev.millrace.api.Kafka;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.RemoteTable.Write;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/// What the guide to remote tables shows.
public final class RemoteTablesGuide implements StreamApplication {
  /// A customer ordered something, or, with a negative count, sent it back.
  public record Order(String customer, String product, int count, Instant at) {}

  /// What a product costs.
  public record Product(String name, long cents) {}

  /// An order with its price.
  public record Sale(String product, long cents) {}

  private static final String UPSERT =
      """
      insert into last_sales (customer, product, version) values (?, ?, ?)
      on conflict (customer) do update set product = excluded.product, version = excluded.version
      where last_sales.version < excluded.version
      """;

  private static final String SET_IF_NEWER =
      """
      local there = redis.call('hget', KEYS[1], 'version')
      if there and tonumber(there) >= tonumber(ARGV[1]) then return 0 end
      redis.call('hset', KEYS[1], 'version', ARGV[1])
      if ARGV[2] then redis.call('hset', KEYS[1], 'value', ARGV[2])
      else redis.call('hdel', KEYS[1], 'value') end
      return 1
      """;

  private final DataSource database;
  private final JedisPool redis;

  /// Clients are opened, shared and closed by whoever runs the application.
  public RemoteTablesGuide(DataSource database, JedisPool redis) {
    this.database = database;
    this.redis = redis;
  }

  @Override
  public void describe(Topology topology) {
    var orders =
        topology.from(
            Kafka.source("orders")
                .key(Serdes.string())
                .value(json(Order.class))
                .eventTime(Order::at));

    var products =
        RemoteTable.read(
            "products",
            Call.batched(100, this::products)
                .inFlight(4)
                .timeout(ofSeconds(5))
                .cache(10_000, ofMinutes(10)));
    var sales =
        orders
            .join(
                "sales",
                remote(products, Order::product),
                (order, product) -> new Sale(product.name(), order.count() * product.cents()))
            .as(json(Sale.class));
    sales.to(Kafka.sink("sales").key(Serdes.string()).value(json(Sale.class)));

    var names = RemoteTable.read("names", Call.batched(100, this::names));
    orders
        .leftJoin(
            "letters", remote(names), (order, name) -> "Dear " + (name == null ? "customer" : name))
        .as(Serdes.string())
        .to(Kafka.sink("letters").key(Serdes.string()).value(Serdes.string()));

    var lastSales =
        RemoteTable.<String, String>written("last-sales", Call.batched(100, this::writeLastSales));
    sales.put("last-sales", lastSales, Sale::product);

    var spent = RemoteTable.<String, Long>written("spent", Call.batched(100, this::writeSpent));
    sales
        .groupByKey()
        .aggregate("spent", () -> 0L, (sum, sale) -> sum + sale.cents())
        .filter(sum -> sum > 0)
        .toChangelogStream()
        .put("spent-in-redis", spent);
  }

  private List<@Nullable Product> products(List<String> ids) throws SQLException {
    Map<String, Product> found = new HashMap<>();
    try (Connection connection = database.getConnection();
        PreparedStatement query =
            connection.prepareStatement(
                "select id, name, cents from products where id = any (?)")) {
      query.setArray(1, connection.createArrayOf("text", ids.toArray()));
      ResultSet rows = query.executeQuery();
      while (rows.next()) {
        found.put(rows.getString(1), new Product(rows.getString(2), rows.getLong(3)));
      }
    }
    List<@Nullable Product> inTheirOrder = new ArrayList<>();
    ids.forEach(id -> inTheirOrder.add(found.get(id)));
    return inTheirOrder;
  }

  private List<@Nullable String> names(List<String> customers) {
    try (Jedis client = redis.getResource()) {
      return client.mget(
          customers.stream().map(customer -> "name:" + customer).toArray(String[]::new));
    }
  }

  private List<Write<String, String>> writeLastSales(List<Write<String, String>> writes)
      throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement upsert = connection.prepareStatement(UPSERT)) {
      for (Write<String, String> write : writes) {
        upsert.setString(1, write.key());
        upsert.setString(2, write.value());
        upsert.setLong(3, write.version());
        upsert.addBatch();
      }
      upsert.executeBatch();
    }
    return writes;
  }

  private List<Write<String, Long>> writeSpent(List<Write<String, Long>> writes) {
    try (Jedis client = redis.getResource()) {
      Pipeline pipeline = client.pipelined();
      List<Response<Object>> answers = new ArrayList<>();
      for (Write<String, Long> write : writes) {
        Long cents = write.value();
        String version = Long.toString(write.version());
        answers.add(
            pipeline.eval(
                SET_IF_NEWER,
                List.of("spent:" + write.key()),
                cents == null ? List.of(version) : List.of(version, cents.toString())));
      }
      pipeline.sync();
      answers.forEach(Response::get); // throws what has failed
    }
    return writes;
  }
}
