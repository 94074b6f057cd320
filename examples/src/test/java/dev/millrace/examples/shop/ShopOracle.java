package dev.millrace.examples.shop;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What the shop has to say of its topics, computed by plain loops over all that is in them. It
/// uses nothing of Millrace, and of the shop only the names of topics.
final class ShopOracle {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long BEST_MILLIS = Duration.ofMinutes(10).toMillis();
  private static final int BEST = 3;

  /// An order as late as this may be too late; none that is not is nearly as late.
  private static final Duration HOURS_LATE = Duration.ofHours(4);

  private record Order(
      String id,
      String customer,
      List<JsonNode> lines,
      Instant at,
      boolean hoursLate,
      JsonNode text) {
    long cents() {
      return lines.stream().mapToLong(line -> line.get("cents").asLong()).sum();
    }
  }

  private record Payment(Instant at, long cents, JsonNode text) {}

  private record Version(Instant since, JsonNode product) {}

  private record Sale(String product, String category, long units, long cents, Instant at) {}

  /// What came in of an order, as far as it was heard of.
  private static final class Steps {
    private final Map<String, Object> state = new HashMap<>(Map.of("due", 0, "paid", 0));
    private int count;

    void add(String at, Instant time) {
      state.put(at, time.toString());
      count++;
    }

    JsonNode tree() {
      state.put("steps", count);
      state.put(
          "status",
          state.containsKey("shippedAt")
              ? "SHIPPED"
              : state.containsKey("paidAt") ? "PAID" : "PLACED");
      return ShopOracle.tree(state);
    }
  }

  private final List<Order> orders = new ArrayList<>();
  private final Map<String, Integer> copies = new HashMap<>();
  private final Map<String, Payment> payments = new HashMap<>();
  private final Map<String, List<Instant>> shipments = new HashMap<>();
  private final Map<String, List<Version>> products = new HashMap<>();
  private final Set<String> bad = new HashSet<>();

  /// @param inputs of each partition in their order
  ShopOracle(List<ShopRow> inputs) {
    Map<Integer, Instant> latest = new HashMap<>();
    for (ShopRow row : inputs) {
      switch (row.topic()) {
        case "orders" -> order(row, latest);
        case "payments" -> payment(row);
        case "shipments" -> {
          if (!row.closes()) {
            shipments
                .computeIfAbsent(row.key(), _ -> new ArrayList<>())
                .add(Instant.parse(text(row.value()).get("at").asString()));
          }
        }
        case "products" -> product(row);
        default -> throw new IllegalArgumentException(row.topic());
      }
    }
  }

  private void order(ShopRow row, Map<Integer, Instant> latest) {
    JsonNode text;
    try {
      text = text(row.value());
    } catch (JacksonException _) {
      bad.add(row.place());
      return;
    }
    Instant at = Instant.parse(text.get("at").asString());
    Instant before = latest.merge(row.partition(), at, (a, b) -> a.isAfter(b) ? a : b);
    List<JsonNode> lines = new ArrayList<>();
    text.get("lines").forEach(lines::add);
    if (lines.isEmpty() || lines.stream().anyMatch(line -> line.get("quantity").asInt() < 1)) {
      bad.add(row.place());
    } else if (!row.closes()) {
      boolean hoursLate = Duration.between(at, before).compareTo(HOURS_LATE) > 0;
      copies.merge(row.key(), 1, Integer::sum);
      orders.add(new Order(row.key(), text.get("customer").asString(), lines, at, hoursLate, text));
    }
  }

  /// What the bank says several times counts once.
  private void payment(ShopRow row) {
    JsonNode text = text(row.value());
    long cents = text.get("cents").asLong();
    if (cents < 0) {
      bad.add(row.place());
    } else if (!row.closes()) {
      Instant at = Instant.parse(text.get("at").asString());
      payments.put(row.key(), new Payment(at, cents, text));
    }
  }

  private void product(ShopRow row) {
    JsonNode product = row.value() == null ? null : text(row.value());
    Instant since =
        product == null ? row.timestamp() : Instant.parse(product.get("since").asString());
    products.computeIfAbsent(row.key(), _ -> new ArrayList<>()).add(new Version(since, product));
  }

  static JsonNode text(String json) {
    return JSON.readTree(json);
  }

  private static JsonNode tree(Map<String, ?> properties) {
    return JSON.readTree(JSON.writeValueAsString(properties));
  }

  /// How often an order is there. A producer whose broker is killed may write something twice, and
  /// the shop takes that for two orders of one id.
  int copies(String order) {
    return copies.getOrDefault(order, 0);
  }

  /// Where the records lie that nobody can process.
  Set<String> bad() {
    return bad;
  }

  private Payment inTime(Order order) {
    Payment payment = payments.get(order.id());
    return payment == null
            || payment.at().isBefore(order.at())
            || payment.at().isAfter(order.at().plus(HOUR))
        ? null
        : payment;
  }

  /// By order.
  Map<String, JsonNode> paid() {
    Map<String, JsonNode> paid = new TreeMap<>();
    for (Order order : orders) {
      Payment payment = inTime(order);
      if (!order.hoursLate() && payment != null) {
        paid.put(order.id(), tree(Map.of("order", order.text(), "payment", payment.text())));
      }
    }
    return paid;
  }

  /// By order.
  Map<String, JsonNode> unpaid() {
    Map<String, JsonNode> unpaid = new TreeMap<>();
    for (Order order : orders) {
      if (!order.hoursLate() && inTime(order) == null) {
        unpaid.put(order.id(), order.text());
      }
    }
    return unpaid;
  }

  /// Orders that may have been too late, which depends on how far time had got where they were
  /// looked at. Nobody pays for them. By order.
  Map<String, JsonNode> hoursLate() {
    Map<String, JsonNode> late = new TreeMap<>();
    orders.stream().filter(Order::hoursLate).forEach(each -> late.put(each.id(), each.text()));
    return late;
  }

  /// By order.
  Map<String, JsonNode> states() {
    Map<String, Steps> steps = new TreeMap<>();
    for (Order order : orders) {
      Steps of = steps.computeIfAbsent(order.id(), _ -> new Steps());
      of.add("placedAt", order.at());
      of.state.put("due", order.cents());
    }
    payments.forEach((order, payment) -> {
      Steps of = steps.computeIfAbsent(order, _ -> new Steps());
      of.add("paidAt", payment.at());
      of.state.put("paid", payment.cents());
    });
    shipments.forEach((order, times) -> {
      Steps of = steps.computeIfAbsent(order, _ -> new Steps());
      times.forEach(at -> of.add("shippedAt", at));
    });
    Map<String, JsonNode> states = new TreeMap<>();
    steps.forEach((order, each) -> states.put(order, each.tree()));
    return states;
  }

  private List<Sale> sales() {
    List<Sale> sales = new ArrayList<>();
    for (Order order : orders) {
      Payment payment = inTime(order);
      if (!order.hoursLate() && payment != null) {
        for (JsonNode line : order.lines()) {
          String product = line.get("product").asString();
          sales.add(
              new Sale(
                  product,
                  category(product, payment.at()),
                  line.get("quantity").asLong(),
                  line.get("cents").asLong(),
                  payment.at()));
        }
      }
    }
    return sales;
  }

  /// What a product was at a time, by what is said of that time, whenever it came.
  private String category(String product, Instant time) {
    Version then = null;
    for (Version version : products.getOrDefault(product, List.of())) {
      if (!version.since().isAfter(time)
          && (then == null || version.since().isAfter(then.since()))) {
        then = version;
      }
    }
    return then == null || then.product() == null
        ? "unknown"
        : then.product().get("category").asString();
  }

  /// By product and last millisecond of the window.
  Map<String, JsonNode> revenue() {
    Map<String, long[]> sums = new TreeMap<>();
    for (Sale sale : sales()) {
      add(sums, sale.product(), sale, BEST_MILLIS);
    }
    return takings(sums, BEST_MILLIS);
  }

  /// By category and last millisecond of the window.
  Map<String, JsonNode> categoryRevenue() {
    Map<String, long[]> sums = new TreeMap<>();
    for (Sale sale : sales()) {
      add(sums, sale.category(), sale, HOUR.toMillis());
    }
    return takings(sums, HOUR.toMillis());
  }

  private static void add(Map<String, long[]> sums, String of, Sale sale, long size) {
    long end = (sale.at().toEpochMilli() / size + 1) * size;
    long[] sum = sums.computeIfAbsent(of + " " + Instant.ofEpochMilli(end - 1), _ -> new long[2]);
    sum[0] += sale.units();
    sum[1] += sale.cents();
  }

  private static Map<String, JsonNode> takings(Map<String, long[]> sums, long size) {
    Map<String, JsonNode> takings = new TreeMap<>();
    sums.forEach((window, sum) -> {
      String[] parts = window.split(" ");
      Instant from = Instant.parse(parts[1]).plusMillis(1 - size);
      takings.put(
          window,
          tree(Map.of("of", parts[0], "from", from.toString(), "units", sum[0], "cents", sum[1])));
    });
    return takings;
  }

  /// In no order.
  List<JsonNode> bestSellers() {
    Map<String, List<JsonNode>> windows = new TreeMap<>();
    for (JsonNode takings : revenue().values()) {
      windows.computeIfAbsent(takings.get("from").asString(), _ -> new ArrayList<>()).add(takings);
    }
    List<JsonNode> best = new ArrayList<>();
    windows.forEach((from, products) -> {
      products.sort(
          Comparator.comparing((JsonNode each) -> -each.get("cents").asLong())
              .thenComparing(each -> -each.get("units").asLong())
              .thenComparing(each -> each.get("of").asString()));
      for (int rank = 1; rank <= Math.min(BEST, products.size()); rank++) {
        JsonNode each = products.get(rank - 1);
        best.add(
            tree(
                Map.of(
                    "from",
                    from,
                    "rank",
                    rank,
                    "product",
                    each.get("of"),
                    "cents",
                    each.get("cents"))));
      }
    });
    return best;
  }

  /// In no order.
  ///
  /// @param tooLate the ids of the orders that were too late for it
  List<JsonNode> visits(Set<String> tooLate) {
    Duration gap = Duration.ofMinutes(30);
    Map<String, List<Order>> customers = new TreeMap<>();
    for (Order order : orders) {
      if (!tooLate.contains(order.id())) {
        customers.computeIfAbsent(order.customer(), _ -> new ArrayList<>()).add(order);
      }
    }
    List<JsonNode> visits = new ArrayList<>();
    customers.forEach((customer, those) -> {
      those.sort(Comparator.comparing(Order::at));
      int first = 0;
      for (int i = 1; i <= those.size(); i++) {
        Instant before = those.get(i - 1).at();
        if (i == those.size() || !those.get(i).at().isBefore(before.plus(gap))) {
          visits.add(visit(customer, those.subList(first, i), before.plus(gap)));
          first = i;
        }
      }
    });
    return visits;
  }

  private static JsonNode visit(String customer, List<Order> those, Instant to) {
    return tree(
        Map.of(
            "customer",
            customer,
            "from",
            those.getFirst().at().toString(),
            "to",
            to.toString(),
            "orders",
            those.size(),
            "cents",
            those.stream().mapToLong(Order::cents).sum()));
  }

  /// By line. What a product is now is what came last.
  Map<String, JsonNode> packing() {
    Map<String, JsonNode> packing = new TreeMap<>();
    for (Order order : orders) {
      int number = 1;
      for (JsonNode line : order.lines()) {
        String product = line.get("product").asString();
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("product", product);
        expected.put("quantity", line.get("quantity"));
        List<Version> versions = products.getOrDefault(product, List.of());
        JsonNode now = versions.isEmpty() ? null : versions.getLast().product();
        if (now != null) {
          expected.put("name", now.get("name"));
          expected.put("shelf", now.get("shelf"));
        }
        packing.put(order.id() + "#" + number++, tree(expected));
      }
    }
    return packing;
  }
}
