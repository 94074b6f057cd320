package dev.millrace.internal.engine.plan;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// How a plan writes the values of its stores and exchanges while an older plan may still have to
/// read them: as the older plan writes them itself. What the older plan does not have is written as
/// the plan says.
///
/// @param stores the serdes of values that differ from those of the plan, by the store's number
/// @param exchanges the serdes of values that differ from those of the plan, by the exchange's name
/// @param obstacles what the older plan could not read, a clause for each store and exchange; empty
///   if it can read all
/// @param finalization from when on the values are written as the plan says
public record WrittenFormats(
    Map<Integer, Serde<?>> stores,
    Map<String, Serde<Object>> exchanges,
    List<String> obstacles,
    Finalization finalization) {

  /// The plan writes what it says.
  public static final WrittenFormats OWN =
      new WrittenFormats(new TreeMap<>(), new TreeMap<>(), List.of(), new Finalization());

  public WrittenFormats {
    stores = Collections.unmodifiableMap(new TreeMap<>(stores));
    exchanges = Collections.unmodifiableMap(new TreeMap<>(exchanges));
    obstacles = List.copyOf(obstacles);
  }

  /// Returns what a plan writes so that an older one reads it.
  static WrittenFormats of(Plan plan, PlanDescription older) {
    Map<Integer, Serde<?>> stores = new TreeMap<>();
    Map<String, Serde<Object>> exchanges = new TreeMap<>();
    List<String> obstacles = new ArrayList<>();
    Finalization finalization = new Finalization();
    for (Part part : older.renamed(plan.renames()).parts()) {
      String schema = part.schemaOfValues();
      if (part.parked() || schema.isEmpty()) {
        continue;
      }
      if (part.kind() == Kind.STORE) {
        plan.stores()
            .filter(store ->
                Integer.toString(store.number()).equals(part.value(PlanDescription.NUMBER)))
            .forEach(store ->
                older(store.spec().valueSerde(), schema, finalization)
                    .ifPresentOrElse(
                        serde -> stores.put(store.number(), serde),
                        () -> obstacles.add("the values of store '" + part.name() + "'")));
      } else if (part.kind() == Kind.EXCHANGE) {
        plan.exchanges().stream()
            .map(Plan.Exchange::node)
            .filter(exchange -> exchange.name().equals(part.name()))
            .forEach(exchange ->
                older(exchange.valueSerde(), schema, finalization)
                    .ifPresentOrElse(
                        serde -> exchanges.put(exchange.name(), serde),
                        () -> obstacles.add("the values of exchange '" + part.name() + "'")));
      }
    }
    return new WrittenFormats(stores, exchanges, obstacles, finalization);
  }

  private static <T> Optional<Serde<T>> older(
      Serde<T> serde, String schema, Finalization finalization) {
    return serde.schema().equals(schema)
        ? Optional.of(serde)
        : serde.writingAs(schema).map(older -> new RolledOutSerde<>(serde, older, finalization));
  }

  /// Returns whether an older plan may still have to read what is written.
  public boolean isForOlder() {
    return !equals(OWN) && !finalization.isDone();
  }

  /// Returns a store as it is written.
  public StoreSpec<?, ?> spec(Plan.Store store) {
    Serde<?> values = stores.get(store.number());
    return values == null ? store.spec() : with(store.spec(), values);
  }

  @SuppressWarnings("unchecked") // the serde was made from that of the store
  private static <K, V> StoreSpec<K, V> with(StoreSpec<K, V> spec, Serde<?> values) {
    return new StoreSpec<>(
        spec.name(), spec.keySerde(), (Serde<V>) values, spec.ranges(), spec.timeToLive());
  }

  /// Returns the serde by which the values of an exchange are sent.
  public Serde<Object> values(Node.Exchange exchange) {
    return exchanges.getOrDefault(exchange.name(), exchange.valueSerde());
  }
}
