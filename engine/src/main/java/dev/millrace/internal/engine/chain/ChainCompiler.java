package dev.millrace.internal.engine.chain;

import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Turns the nodes of a stage into the steps of one task. Series of filters, maps and peeks become
/// one step with code of its own, a [Run]; the others loop over their rows by themselves.
final class ChainCompiler {
  private final Chains.OfWorker chains;
  private final Plan.Stage stage;
  private final Plan.TaskId task;
  private final Outbox outbox;
  private final Function<Plan.Exchange, Outbox> exchanges;
  private final Step.Place place;
  private final TaskTime time = new TaskTime();

  /// By the node's number.
  private final Map<Integer, Step> steps = new HashMap<>();

  private final List<TimedOperator> timed = new ArrayList<>();

  ChainCompiler(
      Chains.OfWorker chains,
      Plan.TaskId task,
      Outbox outbox,
      Function<Plan.Exchange, Outbox> exchanges) {
    this.chains = chains;
    place = new Step.Place(chains.probe());
    this.stage = chains.plan().stage(task.stage());
    this.task = task;
    this.outbox = outbox;
    this.exchanges = exchanges;
  }

  Chain compile() {
    Map<Integer, Serde<Object>> bytes = new HashMap<>();
    Map<String, List<ChainHead>> heads = new LinkedHashMap<>();
    for (Plan.Input input : stage.inputs()) {
      List<ChainHead> ofStream = new ArrayList<>();
      for (Node node : input.heads()) {
        Step step = new Step.Head(input.stream(), place);
        step.number(chains.chains().numbers().ofHead(stage.index(), node));
        steps.put(node.id(), step);
        ChainHead head = head(node, step);
        ofStream.add(head);
        if (!head.readsValues()) { // before all others
          bytes.put(node.id(), head.valueSerde());
        }
      }
      heads.put(input.stream(), ofStream);
    }
    Map<Integer, Run> runs = new HashMap<>();
    Run.of(stage.nodes(), bytes).forEach(run -> runs.put(run.first().id(), run));
    for (Node node : stage.nodes()) {
      if (node instanceof Node.Input || steps.containsKey(node.id())) {
        continue;
      }
      LogTopics<? extends Sink<?, ?>> several =
          node instanceof Node.Output output ? output.sink().topics() : null;
      if (several != null) {
        routes(node).others(several.choice(), topic -> sink((Node.Output) node, several, topic));
        continue;
      }
      Run run = runs.get(node.id());
      Step step = run == null ? step(node) : step(run);
      if (run == null) {
        step.number(number(node));
      }
      for (int i = 0; i < node.inputs().size(); i++) {
        Step before = before(node, i);
        if (before instanceof RouteStep routes) {
          routes.next(step);
        } else {
          before.then(side(node, step, i));
        }
        if (before instanceof StatefulStep stateful && wantsRetractions(node, stateful)) {
          stateful.wantRetractions();
        }
      }
      if (run != null) {
        run.nodes().forEach(each -> steps.put(each.id(), step));
      } else if (!(node instanceof Node.Exchange)) {
        steps.put(node.id(), step);
      }
    }
    return new Chain(place, time, heads, timed);
  }

  private Step before(Node node, int input) {
    return Objects.requireNonNull(
        steps.get(node.inputs().get(input).id()), "A node stands before its input.");
  }

  private RouteStep routes(Node sinks) {
    if (before(sinks, 0) instanceof RouteStep routes) {
      return routes;
    }
    throw new AssertionError("Several topics, and no route to them: " + sinks);
  }

  private int number(Node node) {
    return chains.chains().numbers().of(stage.index(), node);
  }

  private Step side(Node node, Step step, int input) {
    if (step instanceof StatefulStep stateful && node.inputs().size() > 1) {
      Step side = new StatefulStep.Side(stateful, place, input);
      side.number(number(node));
      return side;
    }
    return step;
  }

  private static boolean wantsRetractions(Node node, StatefulStep from) {
    return switch (node) {
      case Node.Additions _ -> false;
      case Node.Output output -> output.sink().retractions() || from.operator().resultsVanish();
      default -> true;
    };
  }

  private static ChainHead head(Node node, Step step) {
    return switch (node) {
      case Node.Input source ->
          new ChainHead(
              step,
              source.source().valueSerde(),
              source.source().eventTime(),
              source.source().watermark(),
              source.source().refusedAhead(),
              source.deletion(),
              source.table());
      case Node.Exchange exchange ->
          new ChainHead(step, exchange.valueSerde(), null, null, null, null, false);
      default -> throw new AssertionError("Not the head of a stage: " + node);
    };
  }

  private Step step(Run run) {
    List<String> names = run.nodes().stream().map(Measured::name).toList();
    int[] numbers = run.nodes().stream().mapToInt(this::number).toArray();
    return new RunStep(names, numbers, place, run, chains.chains().loop(run));
  }

  private Step step(Node node) {
    return switch (node) {
      case Node.Input _, Node.Filter _, Node.Map _, Node.Peek _ ->
          throw new AssertionError("A head, or in a run: " + node);
      case Node.FlatMap flatMap ->
          new Step.FlatMap(Measured.name(node), place, flatMap.mapper(), flatMap.keepsKey());
      case Node.Route route -> new RouteStep(Measured.name(node), place, route);
      case Node.Sample sample -> new SampleStep(Measured.name(node), place, sample);
      case Node.Merge _ -> new Step.Head(Measured.name(node), place);
      case Node.Versions versions -> new VersionsStep(Measured.name(node), place, versions.view());
      case Node.Additions _ -> new Step.Additions(Measured.name(node), place);
      case Node.Conflate _ -> new ConflateStep(Measured.name(node), place);
      case Node.Combine combine -> new CombineStep(place, combine);
      case Node.InTime _ -> new Step.InTime(Measured.name(node), place, time);
      case Node.WithMetadata metadata ->
          new Step.WithMetadata(Measured.name(node), place, metadata.keySerde());
      case Node.Exchange exchange -> {
        Plan.Exchange planned = planned(exchange);
        yield SendTarget.exchange(
                exchanges.apply(planned).stream(planned.topic(), planned.partitions()),
                RecordLimit.of(chains.plan(), planned))
            .step(place, exchange, chains.plan().written().values(exchange));
      }
      case Node.Stateful stateful -> {
        StatefulStep step =
            new StatefulStep(
                Measured.name(node),
                place,
                stateful.declared().factory()::create,
                stateful.keySerde());
        timed.add(new TimedOperator(stateful, step, holding(stateful)));
        yield step;
      }
      case Node.Output output -> sink(output, chains.chains().sink(output.sink().stream()));
    };
  }

  /// The operators before a node, without others between, that hold back event time.
  private List<TimedOperator> holding(Node node) {
    Set<TimedOperator> found = new LinkedHashSet<>();
    for (Node input : node.inputs()) {
      TimedOperator before = asyncOf(input);
      if (before != null) {
        found.add(before);
      } else if (!isHead(input)) {
        found.addAll(holding(input));
      }
    }
    return List.copyOf(found);
  }

  private @Nullable TimedOperator asyncOf(Node node) {
    for (TimedOperator each : timed) {
      if (each.isAsync() && each.isOf(node)) {
        return each;
      }
    }
    return null;
  }

  private boolean isHead(Node node) {
    return stage.inputs().stream().anyMatch(input -> input.heads().contains(node));
  }

  private Step sink(Node.Output output, SinkTopic topic) {
    Sink<?, ?> sink = output.sink();
    String name = Measured.name(output);
    SendTarget target =
        SendTarget.sink(
            outbox.stream(topic.name(), topic.partitions()),
            task.partition(),
            sink.retractions(),
            output.deletion(),
            Setting.of(output.written(), output.newKeySerde()),
            TimestampRule.ofSink(
                topic,
                sink.timestamps(),
                output.written().timestamp() != null,
                chains.chains().clock()::millis),
            RecordLimit.of(topic));
    return target.step(name, place, output);
  }

  /// The sink of a topic that a record has chosen.
  private Step sink(Node.Output output, LogTopics<? extends Sink<?, ?>> topics, String topic) {
    SinkTopic found = chains.chains().chosen(topics, topic);
    Step step = sink(output.to(topic), found);
    step.number(number(output));
    return step;
  }

  private Plan.Exchange planned(Node.Exchange node) {
    for (Plan.Exchange exchange : chains.plan().exchanges()) {
      if (exchange.node().id() == node.id()) {
        return exchange;
      }
    }
    throw new AssertionError("The plan has no exchange '" + node.name() + "'.");
  }
}
