package dev.millrace.benchmarks.micro;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.json.Json;
import java.time.Instant;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Records as JSON: the serde, beside a tree of the whole text and beside a reader of the tokens
/// written by hand.
@State(Scope.Thread)
public class JsonBenchmark {
  private static final int ORDERS = CodecBenchmark.ORDERS;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final Order.Status[] STATUS = Order.Status.values();

  private final Serde<Order> serde = Json.json(Order.class);
  private final Order[] orders =
      IntStream.range(0, ORDERS).mapToObj(Order::of).toArray(Order[]::new);
  private final Order[] read = new Order[ORDERS];
  private final BytesWriter out = new BytesWriter(64 << 10);
  private final Bytes view = new Bytes();
  private final int[] ends = new int[ORDERS];
  private byte[] texts = {};

  @Setup
  public void setUp() {
    write();
    texts = out.toByteArray();
  }

  @Benchmark
  @What("write a record of 8 components as JSON")
  @OperationsPerInvocation(ORDERS)
  public BytesWriter write() {
    out.clear();
    for (int i = 0; i < ORDERS; i++) {
      serde.write(orders[i], out);
      ends[i] = out.length();
    }
    return out;
  }

  @Benchmark
  @What("read it")
  @OperationsPerInvocation(ORDERS)
  public Order[] read() {
    for (int i = 0, start = 0; i < ORDERS; start = ends[i++]) {
      read[i] = serde.read(view.set(texts, start, ends[i] - start));
    }
    return read;
  }

  /// What reading costs that builds a tree first.
  @Benchmark
  @What("read it through a tree")
  @OperationsPerInvocation(ORDERS)
  public Order[] readTree() {
    for (int i = 0, start = 0; i < ORDERS; start = ends[i++]) {
      JsonNode tree = MAPPER.readTree(texts, start, ends[i] - start);
      read[i] =
          new Order(
              tree.get("id").longValue(),
              tree.get("customer").stringValue(),
              Order.Status.valueOf(tree.get("status").stringValue()),
              tree.get("items").intValue(),
              tree.get("total").doubleValue(),
              Instant.parse(tree.get("at").stringValue()),
              tree.get("paid").booleanValue(),
              tree.get("note").stringValue());
    }
    return read;
  }

  /// What reading costs at least with this parser.
  @Benchmark
  @What("read its tokens by hand")
  @OperationsPerInvocation(ORDERS)
  public Order[] readByHand() {
    for (int i = 0, start = 0; i < ORDERS; start = ends[i++]) {
      try (JsonParser parser = MAPPER.createParser(texts, start, ends[i] - start)) {
        read[i] = byHand(parser);
      }
    }
    return read;
  }

  private static Order byHand(JsonParser parser) {
    long id = 0;
    String customer = "";
    Order.Status status = STATUS[0];
    int items = 0;
    double total = 0;
    Instant at = Instant.EPOCH;
    boolean paid = false;
    String note = "";
    parser.nextToken();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "id" -> id = parser.getLongValue();
        case "customer" -> customer = parser.getString();
        case "status" -> status = Order.Status.valueOf(parser.getString());
        case "items" -> items = parser.getIntValue();
        case "total" -> total = parser.getDoubleValue();
        case "at" -> at = Instant.parse(parser.getString());
        case "paid" -> paid = parser.getBooleanValue();
        case "note" -> note = parser.getString();
        default -> parser.skipChildren();
      }
    }
    return new Order(id, customer, status, items, total, at, paid, note);
  }
}
