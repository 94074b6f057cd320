package dev.millrace.examples.shop;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Compares every row that the shop has written with what [ShopOracle] says.
public final class ShopCheck {
  /// What the shop writes.
  public static final List<String> OUTPUTS =
      List.of(
          "order-states",
          "paid-orders",
          "unpaid-orders",
          "revenue",
          "best-sellers",
          "category-revenue",
          "customer-visits",
          "late-orders",
          "packing-list");

  private static final String CORRECTED = ", corrected";

  /// What came out of a comparison.
  ///
  /// @param rows how many rows were compared
  /// @param differences in words; empty if all is well
  /// @param seen how many of what a run is to have, so that the comparison says something
  public record Result(long rows, List<String> differences, Map<String, Integer> seen) {
    /// How many of the rows were written without something that came late.
    public int corrections() {
      return seen.entrySet().stream()
          .filter(each -> each.getKey().endsWith(CORRECTED))
          .mapToInt(Map.Entry::getValue)
          .sum();
    }

    @Override
    public String toString() {
      return "%d rows, %d differences, %s: %s"
          .formatted(
              rows,
              differences.size(),
              seen,
              String.join("\n", differences.subList(0, Math.min(20, differences.size()))));
    }
  }

  private final ShopOracle oracle;
  private final Map<String, List<ShopRow>> outputs;
  private final List<String> differences = new ArrayList<>();
  private final Map<String, Integer> seen = new TreeMap<>();

  private ShopCheck(ShopOracle oracle, Map<String, List<ShopRow>> outputs) {
    this.oracle = oracle;
    this.outputs = outputs;
  }

  /// Compares all.
  ///
  /// @param inputs every row of each topic that the shop reads, of each partition in their order
  /// @param outputs every row of each topic that it writes, by topic, in the same way
  /// @param letters where the records lie that became dead letters, such as `orders-0@7`
  public static Result compare(
      List<ShopRow> inputs, Map<String, List<ShopRow>> outputs, List<String> letters) {
    ShopCheck check = new ShopCheck(new ShopOracle(inputs), outputs);
    check.everything(letters);
    long rows = letters.size() + outputs.values().stream().mapToLong(each -> each.size()).sum();
    return new Result(rows, check.differences, check.seen);
  }

  private void everything(List<String> letters) {
    letters(letters);
    states();
    paid();
    unpaid();
    windows("revenue", oracle.revenue());
    windows("category-revenue", oracle.categoryRevenue());
    all("best-sellers", oracle.bestSellers());
    all("customer-visits", oracle.visits(late()));
    table("packing-list", oracle.packing());
  }

  private List<ShopRow> rows(String topic) {
    return outputs.get(topic).stream().filter(row -> !row.closes()).toList();
  }

  /// The rows of each key, in order.
  private Map<String, List<ShopRow>> byKey(String topic) {
    Map<String, List<ShopRow>> keys = new TreeMap<>();
    rows(topic).forEach(row -> keys.computeIfAbsent(row.key(), _ -> new ArrayList<>()).add(row));
    return keys;
  }

  private static JsonNode value(ShopRow row) {
    if (row.value() == null) {
      return null;
    }
    JsonNode value = ShopOracle.text(row.value());
    if (value instanceof ObjectNode object) {
      object.removeNulls();
    }
    return value;
  }

  private void differ(String topic, Object of, Object expected, Object found) {
    differences.add("%s of %s: expected %s, found %s".formatted(topic, of, expected, found));
  }

  private void see(String what, int count) {
    seen.merge(what, count, Integer::sum);
  }

  /// Each bad record is a letter, once.
  private void letters(List<String> letters) {
    see("bad", letters.size());
    List<String> expected = oracle.bad().stream().sorted().toList();
    List<String> found = letters.stream().sorted().toList();
    if (!expected.equals(found)) {
      differ("dead letters", "all", expected, found);
    }
  }

  /// Each step of an order is there once: the states of an order count them.
  private void states() {
    Map<String, JsonNode> expected = oracle.states();
    Map<String, List<ShopRow>> found = byKey("order-states");
    see("states", expected.size());
    for (String order : union(expected.keySet(), found.keySet())) {
      List<JsonNode> states =
          found.getOrDefault(order, List.of()).stream().map(ShopCheck::value).toList();
      JsonNode last = expected.get(order);
      boolean right = last != null && !states.isEmpty() && last.equals(states.getLast());
      for (int i = 0; right && i < states.size(); i++) {
        right = states.get(i) != null && leadsTo(states.get(i), i + 1, last);
      }
      if (!right || states.size() != last.get("steps").asInt()) {
        differ("order-states", order, last, states);
      }
    }
  }

  /// Whether a state of so many steps can become another.
  private static boolean leadsTo(JsonNode state, int steps, JsonNode last) {
    for (String at : List.of("placedAt", "paidAt", "shippedAt")) {
      if (state.has(at) && !state.get(at).equals(last.get(at))) {
        return false;
      }
    }
    return state.get("steps").asInt() == steps;
  }

  /// An order that is there once has one row, and one that is there twice two.
  private List<JsonNode> copies(String order, JsonNode row) {
    return row == null ? List.of() : Collections.nCopies(oracle.copies(order), row);
  }

  /// Each is there once.
  private void paid() {
    Map<String, JsonNode> expected = oracle.paid();
    Map<String, List<ShopRow>> found = byKey("paid-orders");
    see("paid", expected.size());
    for (String order : union(expected.keySet(), found.keySet())) {
      List<JsonNode> values = values(found.get(order));
      if (!values.equals(copies(order, expected.get(order)))) {
        differ("paid-orders", order, expected.get(order), values);
      }
    }
  }

  /// Each is there once, and what was only late on its way may have been there, once, and is
  /// deleted. What is hours late may be there.
  private void unpaid() {
    Map<String, List<ShopRow>> found = byKey("unpaid-orders");
    Map<String, JsonNode> expected = oracle.unpaid();
    oracle
        .hoursLate()
        .forEach((order, text) -> {
          if (found.containsKey(order)) {
            expected.put(order, text);
          }
        });
    see("unpaid", expected.size());
    for (String order : union(expected.keySet(), found.keySet())) {
      List<JsonNode> values = values(found.get(order));
      boolean taken = values.size() == 2 * oracle.copies(order) && values.getLast() == null;
      see("unpaid-orders" + CORRECTED, taken ? 1 : 0);
      boolean right =
          expected.containsKey(order)
              ? values.equals(copies(order, expected.get(order)))
              : taken && values.getFirst() != null;
      if (!right) {
        differ("unpaid-orders", order, expected.get(order), values);
      }
    }
  }

  private static List<JsonNode> values(List<ShopRow> rows) {
    List<JsonNode> values = new ArrayList<>();
    if (rows != null) {
      rows.forEach(row -> values.add(value(row)));
    }
    return values;
  }

  /// An order that is hours late is too late or part of a visit, and none else is too late.
  ///
  /// @return the ids of those that were too late
  private Set<String> late() {
    Map<String, JsonNode> hoursLate = oracle.hoursLate();
    Map<String, List<JsonNode>> found = new TreeMap<>();
    for (ShopRow row : rows("late-orders")) {
      JsonNode order = value(row);
      found.computeIfAbsent(order.get("id").asString(), _ -> new ArrayList<>()).add(order);
    }
    found.forEach((id, those) -> {
      if (!those.equals(copies(id, hoursLate.get(id)))) {
        differ("late-orders", id, hoursLate.get(id), those);
      }
    });
    Set<String> late = found.keySet();
    see("late-orders", late.size());
    return late;
  }

  /// What counts of a key and window is the last row.
  private void windows(String topic, Map<String, JsonNode> expected) {
    Map<String, JsonNode> last = new HashMap<>();
    Map<String, Integer> times = new HashMap<>();
    for (ShopRow row : rows(topic)) {
      last.put(row.key() + " " + row.timestamp(), value(row));
      times.merge(row.key() + " " + row.timestamp(), 1, Integer::sum);
    }
    last.values().removeIf(each -> each == null);
    see(topic, expected.size());
    see(topic + CORRECTED, (int) times.values().stream().filter(each -> each > 1).count());
    compare(topic, expected, last);
  }

  /// What counts of a key is the last row.
  private void table(String topic, Map<String, JsonNode> expected) {
    Map<String, JsonNode> last = new HashMap<>();
    rows(topic).forEach(row -> last.put(row.key(), value(row)));
    last.values().removeIf(each -> each == null);
    see(topic, expected.size());
    compare(topic, expected, last);
  }

  private void compare(String topic, Map<String, JsonNode> expected, Map<String, JsonNode> found) {
    for (String key : union(expected.keySet(), found.keySet())) {
      if (!found.containsKey(key) || !found.get(key).equals(expected.get(key))) {
        differ(topic, key, expected.get(key), found.get(key));
      }
    }
  }

  /// Each is there once more than it was taken back.
  private void all(String topic, List<JsonNode> expected) {
    Map<JsonNode, Integer> left = new HashMap<>();
    for (ShopRow row : rows(topic)) {
      Instant time = row.timestamp();
      int before = left.merge(value(row), row.retraction() ? -1 : 1, Integer::sum);
      see(topic + CORRECTED, row.retraction() ? 1 : 0);
      if (row.retraction() && before < 0) {
        differ(topic, time, "something to take back", row);
      }
    }
    see(topic, expected.size());
    expected.forEach(each -> left.merge(each, -1, Integer::sum));
    left.forEach((each, count) -> {
      if (count != 0) {
        differ(topic, each, 0, (count > 0 ? "too many: " : "missing: ") + count);
      }
    });
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    Set<String> all = new TreeSet<>(one);
    all.addAll(other);
    return all;
  }
}
