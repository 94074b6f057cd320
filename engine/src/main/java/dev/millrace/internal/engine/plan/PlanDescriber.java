package dev.millrace.internal.engine.plan;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.internal.engine.topology.Fingerprint;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Describes a plan. Steps without state are left out: they decide what comes in, not what is kept.
final class PlanDescriber {
  /// A longer schema is described by a number for it.
  private static final int LONGEST_SCHEMA = 100_000;

  private final List<Part> parts = new ArrayList<>();

  private PlanDescriber() {}

  static PlanDescription of(
      String application,
      List<Plan.Stage> stages,
      List<Plan.Exchange> exchanges,
      Numbering numbers) {
    PlanDescriber describer = new PlanDescriber();
    describer.add(Kind.APPLICATION, application, Parameters.NONE);
    stages.forEach(describer::add);
    exchanges.forEach(exchange -> describer.add(exchange, numbers.topic(exchange.node().name())));
    return new PlanDescription(describer.parts);
  }

  private void add(Kind kind, String name, Parameters parameters) {
    parts.add(new Part(kind, name, parameters));
  }

  private void add(Plan.Stage stage) {
    add(
        Kind.STAGE,
        Integer.toString(stage.index()),
        Parameters.NONE.with(PlanDescription.PARTITIONS, stage.partitions()));
    for (Plan.Input input : stage.inputs()) {
      if (input.exchange() == null) {
        add(stage, input);
      }
    }
    for (Node node : stage.nodes()) {
      if (node instanceof Node.Stateful stateful && !stateful.declared().stores().isEmpty()) {
        add(stage, stateful);
      }
    }
  }

  /// A broadcast table is read by several stages.
  private void add(Plan.Stage stage, Plan.Input input) {
    add(
        Kind.INPUT,
        PlanDescription.placed(input.stream(), input.broadcast(), stage.index()),
        Parameters.NONE
            .with(PlanDescription.PARTITIONS, input.partitions())
            .with(PlanDescription.READ_BY_ALL, input.broadcast())
            .with(PlanDescription.TABLE, input.table())
            .with(PlanDescription.STAGE, stage.index()));
  }

  private void add(Plan.Stage stage, Node.Stateful operator) {
    String name = PlanDescription.placed(operator.name(), operator.broadcast(), stage.index());
    add(
        Kind.OPERATOR,
        name,
        operator
            .declared()
            .parameters()
            .with(PlanDescription.FED_BY, fedBy(operator))
            .with(PlanDescription.STAGE, stage.index()));
    for (Plan.Store store : stage.stores()) {
      if (store.owner().id() == operator.id()) {
        add(
            Kind.STORE,
            PlanDescription.placed(store.spec().name(), operator.broadcast(), stage.index()),
            parameters(store, name));
      }
    }
  }

  private static Parameters parameters(Plan.Store store, String operator) {
    StoreSpec<?, ?> spec = store.spec();
    Parameters said =
        Parameters.NONE
            .with(PlanDescription.OWNER, operator)
            .with(PlanDescription.NUMBER, store.number())
            .with("ranges", spec.ranges());
    Parameters formats = serdes(said, spec.keySerde(), spec.valueSerde());
    return spec.timeToLive() == null
        ? formats
        // Each value carries its own expiry, so another time concerns what is put from then on.
        : formats
            .with("values expire", true)
            .withAcceptable("time to live", Parameters.text(spec.timeToLive()));
  }

  /// @param topicOf the name that its topic is called after
  private void add(Plan.Exchange exchange, String topicOf) {
    Parameters said =
        Parameters.NONE
            .with(PlanDescription.FROM_STAGE, exchange.fromStage())
            .with(PlanDescription.TO_STAGE, exchange.toStage())
            .with(PlanDescription.PARTITIONS, exchange.partitions())
            .with(PlanDescription.FED_BY, fedBy(exchange.node()));
    Parameters all =
        serdes(said, exchange.node().keySerde(), exchange.node().valueSerde())
            .and(exchange.node().parameters());
    String name = exchange.node().name();
    add(
        Kind.EXCHANGE,
        name,
        topicOf.equals(name) ? all : all.with(PlanDescription.TOPIC_OF, topicOf));
  }

  private static Parameters serdes(Parameters said, Serde<?> keys, Serde<?> values) {
    return serde(serde(said, "keys", keys), PlanDescription.VALUES, values);
  }

  private static Parameters serde(Parameters said, String of, Serde<?> serde) {
    String schema = serde.schema();
    Parameters named = said.with(PlanDescription.SERDE_OF + of, serde.id());
    if (schema.equals(serde.id())) {
      return named;
    }
    return named.with(
        PlanDescription.SCHEMA_OF + of,
        schema.length() <= LONGEST_SCHEMA
            ? schema
            : "%d characters, %s".formatted(schema.length(), new Fingerprint().add(schema).text()));
  }

  /// What has a name before a node: of another stream, the same bytes say something else.
  private static String fedBy(Node node) {
    List<String> sides = new ArrayList<>();
    for (Node input : node.inputs()) {
      Set<String> names = new LinkedHashSet<>();
      collect(input, names);
      sides.add(String.join(PlanDescription.AND, names));
    }
    return String.join(PlanDescription.SIDE, sides);
  }

  private static void collect(Node node, Set<String> names) {
    switch (node) {
      case Node.Input input -> names.add(input.source().stream());
      case Node.Exchange exchange -> names.add(exchange.name());
      case Node.Stateful stateful when !stateful.declared().stores().isEmpty() ->
          names.add(stateful.name());
      default -> node.inputs().forEach(input -> collect(input, names));
    }
  }
}
