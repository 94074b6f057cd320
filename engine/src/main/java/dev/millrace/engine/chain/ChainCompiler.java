package dev.millrace.engine.chain;

import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Operator;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.topology.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// Turns the nodes of a stage into the steps of one task. Steps are interpreted: each loops over
/// its rows and calls the user's function.
public final class ChainCompiler {
  private final Plan plan;
  private final Plan.Stage stage;
  private final Plan.TaskId task;
  private final Outbox outbox;
  private final Function<Plan.Exchange, Outbox> exchanges;
  private final ToIntFunction<String> partitionsOfSinks;
  private final Step.Place place = new Step.Place();

  /// By the node's number.
  private final Map<Integer, Step> steps = new HashMap<>();

  private final List<Chain.Timed> timed = new ArrayList<>();

  private ChainCompiler(
      Plan plan,
      Plan.TaskId task,
      Outbox outbox,
      Function<Plan.Exchange, Outbox> exchanges,
      ToIntFunction<String> partitionsOfSinks) {
    this.plan = plan;
    this.stage = plan.stages().get(task.stage());
    this.task = task;
    this.outbox = outbox;
    this.exchanges = exchanges;
    this.partitionsOfSinks = partitionsOfSinks;
  }

  /// @param exchanges where what goes into an exchange leaves
  /// @param partitionsOfSinks how many partitions the topic of a sink has
  public static Chain compile(
      Plan plan,
      Plan.TaskId task,
      Outbox outbox,
      Function<Plan.Exchange, Outbox> exchanges,
      ToIntFunction<String> partitionsOfSinks) {
    return new ChainCompiler(plan, task, outbox, exchanges, partitionsOfSinks).compile();
  }

  private Chain compile() {
    Map<String, List<Chain.Head>> heads = new LinkedHashMap<>();
    for (Plan.Input input : stage.inputs()) {
      List<Chain.Head> ofStream = new ArrayList<>();
      for (Node head : input.heads()) {
        Step step = new Step.Head(input.stream(), place);
        steps.put(head.id(), step);
        ofStream.add(
            switch (head) {
              case Node.Input source ->
                  new Chain.Head(step, source.source().valueSerde(), source.source().eventTime());
              case Node.Exchange exchange -> new Chain.Head(step, exchange.valueSerde(), null);
              default -> throw new AssertionError("Not the head of a stage: " + head);
            });
      }
      heads.put(input.stream(), ofStream);
    }
    for (Node node : stage.nodes()) {
      if (node instanceof Node.Input) {
        continue;
      }
      Step step = step(node);
      for (Node input : node.inputs()) {
        Objects.requireNonNull(steps.get(input.id()), "A node stands before its input.").then(step);
      }
      if (!(node instanceof Node.Exchange)) {
        steps.put(node.id(), step);
      }
    }
    return new Chain(place, heads, timed);
  }

  private Step step(Node node) {
    String name =
        node.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT) + " " + node.id();
    return switch (node) {
      case Node.Input input -> throw new AssertionError("An input is a head: " + input);
      case Node.Filter filter -> new Step.Filter(name, place, filter.condition());
      case Node.Map map -> new Step.Map(name, place, map.mapper(), map.keepsKey());
      case Node.FlatMap flatMap -> new Step.FlatMap(name, place, flatMap.mapper());
      case Node.Peek peek -> new Step.Peek(name, place, peek.action());
      case Node.Merge merge -> new Step.Head("merge " + merge.id(), place);
      case Node.WithMetadata metadata -> new Step.WithMetadata(name, place, metadata.keySerde());
      case Node.Exchange exchange -> {
        Plan.Exchange planned = planned(exchange);
        yield SendStep.toExchange(
            "exchange '" + exchange.name() + "'",
            place,
            exchanges.apply(planned).stream(planned.topic(), planned.partitions()),
            exchange.key(),
            exchange.keySerde(),
            exchange.valueSerde());
      }
      case Node.Stateful stateful -> {
        Operator operator = stateful.factory().create();
        StatefulStep step =
            new StatefulStep(
                stateful.kind() + " '" + stateful.name() + "'",
                place,
                operator,
                stateful.keySerde());
        timed.add(new Chain.Timed(stateful, step));
        yield step;
      }
      case Node.Output output -> {
        String topic = output.sink().stream();
        yield sink(output, outbox.stream(topic, partitionsOfSinks.applyAsInt(topic)));
      }
    };
  }

  private Step sink(Node.Output output, Outbox.Stream to) {
    String name = "sink '" + output.sink().stream() + "'";
    Serde<Object> reads = output.keySerde();
    Serde<Object> values = output.sink().valueSerde();
    return reads == null
        ? SendStep.toSink(name, place, to, values, task.partition())
        : SendStep.toSink(name, place, to, reads, output.newKeySerde(), values, task.partition());
  }

  private Plan.Exchange planned(Node.Exchange node) {
    for (Plan.Exchange exchange : plan.exchanges()) {
      if (exchange.node().id() == node.id()) {
        return exchange;
      }
    }
    throw new AssertionError("The plan has no exchange '" + node.name() + "'.");
  }
}
