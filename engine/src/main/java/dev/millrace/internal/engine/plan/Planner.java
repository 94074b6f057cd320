package dev.millrace.internal.engine.plan;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.StoreSpec;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.topology.Fingerprint;
import dev.millrace.internal.engine.topology.Names;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.spi.settings.SizeLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes the plan of a topology: a pure function.
public final class Planner {
  private final String application;
  private final TopologyGraph graph;
  private final PartitionCounts partitions;
  private final List<List<Node>> cut;
  private final Numbering numbers;
  private final @Nullable PlanDescription before;

  /// By the node's id: where its stage stands in their order.
  private final int[] stageOfNode;

  private final List<Plan.Stage> stages = new ArrayList<>();
  private final List<Plan.Exchange> exchanges = new ArrayList<>();

  private Planner(
      String application,
      TopologyGraph graph,
      StageCut cut,
      PartitionCounts partitions,
      @Nullable PlanDescription before) {
    this.application = application;
    this.graph = graph;
    this.partitions = partitions;
    this.cut = cut.stages();
    this.before = before == null ? null : before.renamed(graph.renames());
    numbers = new Numbering(this.before);
    stageOfNode = new int[graph.nodes().size()];
  }

  /// Plans with exchanges as wide as the stages that feed them.
  ///
  /// @param application the name under which it is stored
  /// @param partitionsOfStreams how many partitions each stream has that the topology reads
  /// @throws InvalidTopologyException if the topology cannot run on these streams; the message
  ///   names them
  public static Plan plan(
      String application, TopologyGraph graph, Map<String, Integer> partitionsOfStreams) {
    return plan(application, graph, partitionsOfStreams, new TreeMap<>(), null);
  }

  /// Plans with some exchanges of another width, without state from before.
  ///
  /// @param partitionsOfExchanges how many partitions an exchange is to have, by its name in the
  ///   topology
  static Plan plan(
      String application,
      TopologyGraph graph,
      Map<String, Integer> partitionsOfStreams,
      Map<String, Integer> partitionsOfExchanges) {
    return plan(application, graph, partitionsOfStreams, partitionsOfExchanges, null);
  }

  /// Plans an application that has state already, with exchanges as wide as the stages that feed
  /// them.
  ///
  /// @param before the plan whose state there is; null if there is none
  public static Plan plan(
      String application,
      TopologyGraph graph,
      Map<String, Integer> partitionsOfStreams,
      @Nullable PlanDescription before) {
    return plan(application, graph, partitionsOfStreams, new TreeMap<>(), before);
  }

  /// Plans with some exchanges of another width. Sides of a join that have other partitions than it
  /// get an exchange, and so do those that would have a stage feed itself; it depends on the
  /// topology and the numbers of partitions alone, so the same ones give the same plan. Streams
  /// that have got more partitions since the plan before are planned with as many as they had then,
  /// if their tasks [can read][Plan.Stage#canRead] the others too.
  ///
  /// @param partitionsOfExchanges how many partitions an exchange is to have, by its name in the
  ///   topology
  /// @param before the plan whose state there is, whose stages, tasks and stores keep their
  ///   numbers; null if there is none
  public static Plan plan(
      String application,
      TopologyGraph graph,
      Map<String, Integer> partitionsOfStreams,
      Map<String, Integer> partitionsOfExchanges,
      @Nullable PlanDescription before) {
    if (before != null) {
      Map<String, Integer> planned = before.planned(partitionsOfStreams);
      Plan plan = fitting(application, graph, planned, partitionsOfExchanges, before);
      if (plan.canRead(partitionsOfStreams)) {
        return plan;
      }
    }
    return fitting(application, graph, partitionsOfStreams, partitionsOfExchanges, before);
  }

  private static Plan fitting(
      String application,
      TopologyGraph graph,
      Map<String, Integer> partitionsOfStreams,
      Map<String, Integer> partitionsOfExchanges,
      @Nullable PlanDescription before) {
    Names.check("The application", application);
    requireForeignSinks(application, graph.nodes().stream());
    TopologyGraph fitting =
        before == null
            ? graph.combined()
            : graph.combined(before.renamed(graph.renames()).carried());
    while (true) { // each side is moved once at most, so this ends
      StageCut cut = StageCut.of(fitting);
      Misfit back = Circle.sideToMove(fitting, cut);
      if (back != null) {
        fitting = back.mend(fitting, 0);
        continue;
      }
      PartitionCounts counts =
          new PartitionCounts(fitting, partitionsOfStreams, partitionsOfExchanges);
      Plan plan = new Planner(application, fitting, cut, counts, before).plan();
      List<Misfit> misfits = counts.misfits();
      if (misfits.isEmpty()) {
        counts.requireExchangesExist();
        return plan;
      }
      int added = 0;
      for (Misfit misfit : misfits) {
        fitting = misfit.mend(fitting, added++);
      }
    }
  }

  private Plan plan() {
    for (int index = 0; index < cut.size(); index++) {
      for (Node node : cut.get(index)) {
        stageOfNode[node.id()] = index;
      }
    }
    for (int index = 0; index < cut.size(); index++) {
      stages.add(stage(index, cut.get(index)));
    }
    PlanDescription own = PlanDescriber.of(application, stages, exchanges, numbers);
    PlanDescription description = before == null ? own : own.parking(before);
    return new Plan(
        application,
        application,
        description,
        description.version(),
        new SplitTasks(numbers.slots()),
        List.copyOf(stages),
        List.copyOf(exchanges),
        FollowedPlans.NONE,
        graph.renames(),
        SizeLimits.defaults(),
        new TreeMap<>(),
        WrittenFormats.OWN);
  }

  private Plan.Stage stage(int place, List<Node> nodes) {
    List<Node.Exchange> received = received(place);
    int count =
        partitions.ofStage(
            nodes, received, exchange -> stages.get(stageOfNode[exchange.id()]).partitions());
    List<Plan.Input> inputs = new ArrayList<>(sources(nodes));
    int index = numbers.stage(marks(nodes, inputs, received), count);
    for (Node.Exchange exchange : received) {
      Plan.Exchange planned =
          new Plan.Exchange(
              exchangeTopic(application, numbers.topic(exchange.name())),
              stages.get(stageOfNode[exchange.id()]).index(),
              index,
              count,
              format(exchange, count),
              exchange);
      exchanges.add(planned);
      inputs.add(new Plan.Input(planned.topic(), count, List.of(exchange), planned));
    }
    return new Plan.Stage(
        index,
        count,
        numbers.firstTask(index),
        List.copyOf(inputs),
        List.copyOf(nodes),
        stores(index, nodes));
  }

  private long format(Node.Exchange exchange, int partitions) {
    return new Fingerprint()
        .add(numbers.topic(exchange.name()))
        .add(Integer.toString(partitions))
        .add(exchange.keySerde().id())
        .value();
  }

  /// By what a stage of the plan before is known again.
  private static List<Numbering.Mark> marks(
      List<Node> nodes, List<Plan.Input> sources, List<Node.Exchange> received) {
    List<Numbering.Mark> marks = new ArrayList<>();
    for (Node node : nodes) {
      if (node instanceof Node.Stateful stateful && !stateful.broadcast()) {
        marks.add(new Numbering.Mark(Kind.OPERATOR, stateful.name()));
      }
    }
    for (Plan.Input source : sources) {
      if (!source.broadcast()) {
        marks.add(new Numbering.Mark(Kind.INPUT, source.stream()));
      }
    }
    received.forEach(each -> marks.add(new Numbering.Mark(Kind.EXCHANGE, each.name())));
    return marks;
  }

  /// The exchanges that lead to a stage, in the order of their nodes.
  private List<Node.Exchange> received(int index) {
    List<Node.Exchange> received = new ArrayList<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Exchange exchange && leadsTo(exchange) == index) {
        received.add(exchange);
      }
    }
    return received;
  }

  private int leadsTo(Node.Exchange exchange) {
    return stageOfNode[graph.consumers(exchange).getFirst().id()];
  }

  private List<Plan.Input> sources(List<Node> nodes) {
    Map<String, List<Node>> heads = new LinkedHashMap<>();
    for (Node node : nodes) {
      if (node instanceof Node.Input input) {
        heads.computeIfAbsent(input.source().stream(), _ -> new ArrayList<>()).add(node);
      }
    }
    List<Plan.Input> sources = new ArrayList<>();
    heads.forEach((stream, readers) ->
        sources.add(
            new Plan.Input(stream, partitions.ofStream(stream), List.copyOf(readers), null)));
    return sources;
  }

  private List<Plan.Store> stores(int stage, List<Node> nodes) {
    List<Plan.Store> numbered = new ArrayList<>();
    for (Node node : nodes) {
      if (node instanceof Node.Stateful stateful) {
        for (StoreSpec<?, ?> spec : stateful.declared().stores()) {
          String name = PlanDescription.placed(spec.name(), stateful.broadcast(), stage);
          numbered.add(new Plan.Store(numbers.store(name), spec, stateful));
        }
      }
    }
    return List.copyOf(numbered);
  }

  /// The dot is in no application's name, so the topic belongs to one application without doubt.
  static String exchangeTopic(String application, String name) {
    return application + "." + name + "-exchange";
  }

  static void requireForeignSinks(String application, Stream<Node> nodes) {
    nodes.forEach(node -> {
      if (node instanceof Node.Output output) {
        String reason = internal(application, output.sink().stream());
        if (reason != null) {
          throw new InvalidTopologyException(
              "Sink '%s' cannot be written to: %s. Choose another name."
                  .formatted(output.sink().stream(), reason));
        }
      }
    });
  }

  /// Why an application cannot write results to a topic; null if it can.
  public static @Nullable String internal(String application, String stream) {
    if (stream.startsWith("__")) {
      return "names that begin with '__' are reserved for the log's internal topics";
    }
    if (stream.equals(application + "-changelog")) {
      return "it is the changelog of the application";
    }
    if (stream.equals(application + "-versions")) {
      return "the descriptions of the application's plans are kept there";
    }
    if (stream.startsWith(application + ".") && stream.endsWith("-exchange")) {
      return "the application's exchanges have such names";
    }
    return null;
  }
}
