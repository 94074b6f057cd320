package dev.millrace.internal.beam.portable.translate;

import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.metrics.RunMetrics;
import dev.millrace.internal.beam.operators.BroadcastOperator;
import dev.millrace.internal.beam.operators.Partitions;
import dev.millrace.internal.beam.operators.RunContext;
import dev.millrace.internal.beam.operators.SideRow;
import dev.millrace.internal.beam.operators.StayOperator;
import dev.millrace.internal.beam.portable.stage.Output;
import dev.millrace.internal.beam.portable.stage.PipelineMetrics;
import dev.millrace.internal.beam.portable.stage.SpreadOperator;
import dev.millrace.internal.beam.portable.stage.StageOperator;
import dev.millrace.internal.beam.portable.stage.StageSpec;
import dev.millrace.internal.beam.portable.stage.StageView;
import dev.millrace.internal.beam.state.CodedSerde;
import dev.millrace.internal.beam.translate.Erased;
import dev.millrace.internal.beam.translate.Graph;
import dev.millrace.internal.beam.translate.Keyed;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.fnexecution.control.JobBundleFactory;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.IterableCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.construction.PTransformTranslation;
import org.apache.beam.sdk.util.construction.ParDoTranslation;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.util.construction.graph.PipelineNode.PCollectionNode;
import org.apache.beam.sdk.util.construction.graph.SideInputReference;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;

/// Makes a topology of a pipeline in Beam's portable form. Elements are as the runner knows them:
/// what only the SDK can read is bytes.
public final class PortableTranslator {
  private static final Set<String> KNOWN_REQUIREMENTS =
      Set.of(
          ParDoTranslation.REQUIRES_STATEFUL_PROCESSING_URN,
          ParDoTranslation.REQUIRES_SPLITTABLE_DOFN_URN,
          ParDoTranslation.REQUIRES_BUNDLE_FINALIZATION_URN);

  private final Supplier<JobBundleFactory> job;
  private final PipelineMetrics metrics;
  private final Graph graph;
  private final Keyed keyed;
  private final Collections collections;
  private final Map<String, Node> nodes = new LinkedHashMap<>();

  /// By the id of a collection, what sends it to all tasks.
  private final Map<String, Sent> sent = new LinkedHashMap<>();

  /// What sends a collection to all tasks.
  private record Sent(String name, Node from, SideRow.Format format) {}

  private PortableTranslator(
      RunnerApi.Components components,
      PipelineOptions options,
      int parallelism,
      Supplier<JobBundleFactory> job,
      PipelineMetrics metrics) {
    this.job = job;
    this.metrics = metrics;
    graph = new Graph(parallelism);
    keyed = new Keyed(graph, options, new RunContext(new RunMetrics(), null));
    collections = new Collections(components);
  }

  /// Translates a pipeline.
  ///
  /// @param parallelism how many tasks each part has
  /// @param job gives what its harnesses are reached by, when it runs
  /// @throws UnsupportedOperationException if it has a transform that is not known
  /// @throws IllegalArgumentException if it is no valid pipeline
  public static TopologyGraph translate(
      RunnerApi.Pipeline pipeline,
      PipelineOptions options,
      int parallelism,
      Supplier<JobBundleFactory> job,
      PipelineMetrics metrics) {
    checkRequirements(pipeline);
    Fused fused = Fused.of(pipeline);
    PortableTranslator translator =
        new PortableTranslator(fused.components(), options, parallelism, job, metrics);
    fused.parts().forEach(translator::part);
    return translator.graph.complete();
  }

  private static void checkRequirements(RunnerApi.Pipeline pipeline) {
    for (String each : pipeline.getRequirementsList()) {
      if (!KNOWN_REQUIREMENTS.contains(each)) {
        throw new UnsupportedOperationException(
            "The pipeline requires '%s', which the portable runner of Millrace does not do."
                .formatted(each));
      }
    }
  }

  private void part(Fused.Part part) {
    switch (part.transform().getSpec().getUrn()) {
      case ExecutableStage.URN -> stage(part);
      case PTransformTranslation.IMPULSE_TRANSFORM_URN -> impulse(part);
      case PTransformTranslation.GROUP_BY_KEY_TRANSFORM_URN -> groupByKey(part);
      case Flattens.URN, PTransformTranslation.FLATTEN_TRANSFORM_URN -> flatten(part);
      case PTransformTranslation.RESHUFFLE_URN -> reshuffle(part);
      default ->
          throw new UnsupportedOperationException(
              "The transform '%s' (%s) is not known to the portable runner of Millrace."
                  .formatted(part.name(), part.transform().getSpec().getUrn()));
    }
  }

  private static String input(Fused.Part part) {
    return part.transform().getInputsMap().values().iterator().next();
  }

  private static String output(Fused.Part part) {
    return part.transform().getOutputsMap().values().iterator().next();
  }

  private Node node(String collection) {
    Node node = nodes.get(collection);
    if (node == null) {
      throw new IllegalStateException("Nothing gives the collection " + collection);
    }
    return node;
  }

  private void impulse(Fused.Part part) {
    Node root = graph.root(graph.name(part.name()), 1);
    nodes.put(output(part), graph.map(root, _ -> WindowedValues.valueInGlobalWindow(new byte[0])));
  }

  private void groupByKey(Fused.Part part) {
    String name = graph.name(part.name());
    String input = input(part);
    KvCoder<?, ?> pairs = collections.pairs(input);
    WindowingStrategy<?, ?> windowing = collections.windowing(input);
    nodes.put(output(part), keyed.group(name, part.name(), node(input), pairs, windowing));
  }

  private void flatten(Fused.Part part) {
    String name = graph.name(part.name());
    String output = output(part);
    List<String> inputs = new ArrayList<>(part.transform().getInputsMap().values());
    inputs.sort(Comparator.naturalOrder());
    List<Node> from = new ArrayList<>();
    for (String each : inputs) {
      if (!collections.elements(each).equals(collections.elements(output))) {
        throw new UnsupportedOperationException(
            "'%s' has inputs of different coders (%s and %s). Give its inputs and its output one type."
                .formatted(part.name(), collections.coder(each), collections.coder(output)));
      }
      from.add(node(each));
    }
    nodes.put(output, from.isEmpty() ? graph.root(name, 0) : flatten(name, from, output));
  }

  /// Elements of one stage go on in it. Those of several are sent to a new one: where one of these
  /// feeds another, they could not be one stage.
  private Node flatten(String name, List<Node> inputs, String output) {
    if (graph.areOfOneStage(inputs)) {
      return graph.merge(inputs);
    }
    List<Node> all = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      all.add(stay(name + "-" + i, inputs.get(i), output));
    }
    return graph.merge(all);
  }

  private void reshuffle(Fused.Part part) {
    nodes.put(output(part), spread(graph.name(part.name()), node(input(part)), input(part)));
  }

  /// Sends elements to the task of the same number in a new stage.
  private Node stay(String name, Node from, String collection) {
    return moved(name, "stay", from, collection, StayOperator.declare(partitions()));
  }

  /// Sends elements to all tasks of a new stage in turn.
  private Node spread(String name, Node from, String collection) {
    return moved(name, "spread", from, collection, SpreadOperator.declare(partitions()));
  }

  private Node moved(String name, String how, Node from, String collection, Declaration declared) {
    return graph.exchange(
        name + "-main",
        graph.operator(name + "-" + how, how, List.of(from), declared),
        null,
        elements(collection));
  }

  private Partitions partitions() {
    return new Partitions(graph.parallelism());
  }

  private Serde<Object> elements(String collection) {
    return Erased.serde(new CodedSerde<>("beam:element", collections.elements(collection)));
  }

  private void stage(Fused.Part part) {
    ExecutableStage stage = part.stage();
    String name = graph.name(part.name());
    StageSpec spec = spec(part, name, stage);
    List<Node> from = new ArrayList<>();
    from.add(main(spec));
    for (String each : viewed(stage)) {
      from.add(side(name, each));
    }
    Node made = graph.operator(name, "stage", from, StageOperator.declare(spec, job, metrics));
    if (spec.outputs().size() == 1) {
      nodes.put(spec.outputs().keySet().iterator().next(), made);
      return;
    }
    spec.outputs()
        .forEach((collection, number) -> {
          int of = number;
          Node chosen = graph.filter(made, row -> ((Output) row).number() == of);
          nodes.put(collection, graph.map(chosen, row -> ((Output) row).element()));
        });
  }

  private StageSpec spec(Fused.Part part, String name, ExecutableStage stage) {
    String input = stage.getInputPCollection().getId();
    Map<String, Integer> outputs = new LinkedHashMap<>();
    stage.getOutputPCollections().stream()
        .map(PCollectionNode::getId)
        .sorted()
        .forEach(id -> outputs.put(id, outputs.size()));
    List<String> viewed = viewed(stage);
    Map<StageView.Name, Integer> reads = new LinkedHashMap<>();
    for (SideInputReference each : stage.getSideInputs()) {
      reads.put(
          new StageView.Name(each.transform().getId(), each.localName()),
          viewed.indexOf(each.collection().getId()));
    }
    boolean isKeyed = !stage.getUserStates().isEmpty() || !stage.getTimers().isEmpty();
    return new StageSpec(
        name,
        part.name(),
        stage,
        collections.elements(input),
        collections.windowing(input),
        isKeyed ? Erased.coder(collections.pairs(input).getKeyCoder()) : null,
        isSplittable(stage),
        outputs,
        viewed.stream().map(this::view).toList(),
        reads,
        graph.parallelism());
  }

  private static List<String> viewed(ExecutableStage stage) {
    return stage.getSideInputs().stream()
        .map(each -> each.collection().getId())
        .distinct()
        .sorted()
        .toList();
  }

  private StageView view(String collection) {
    return StageView.of(
        collection, collections.values(collection), collections.windowing(collection));
  }

  private static boolean isSplittable(ExecutableStage stage) {
    return stage.getTransforms().stream()
        .map(each -> each.getTransform().getSpec().getUrn())
        .anyMatch(
            PTransformTranslation.SPLITTABLE_PROCESS_SIZED_ELEMENTS_AND_RESTRICTIONS_URN::equals);
  }

  /// Returns the elements of a stage where they are processed.
  private Node main(StageSpec spec) {
    String collection = spec.stage().getInputPCollection().getId();
    Node from = node(collection);
    Coder<Object> keys = spec.keys();
    if (keys != null) {
      return keyed.send(spec.operator(), from, keys, elements(collection));
    }
    if (spec.isSplittable()) {
      return spread(spec.operator(), from, collection);
    }
    // A view that is made of the same elements would have the stage feed itself.
    return spec.views().isEmpty() ? from : stay(spec.operator(), from, collection);
  }

  /// Returns a view where it is read. Whoever reads it has an exchange of its own: a common one
  /// would make one stage of all that read it.
  private Node side(String reader, String collection) {
    Sent from = sent.computeIfAbsent(collection, this::send);
    return graph.exchange(
        graph.name(from.name() + "-for-" + reader), from.from(), null, from.format());
  }

  /// The elements of a collection in a window go together to all tasks, each with the number of the
  /// pane in which it came.
  private Sent send(String collection) {
    String name = graph.name(collections.name(collection) + "-view");
    Coder<Object> elements = collections.values(collection);
    WindowingStrategy<?, ?> windowing = collections.windowing(collection);
    Node pairs =
        graph.map(
            node(collection),
            row -> {
              WindowedValue<?> element = (WindowedValue<?>) row;
              KV<Long, ?> numbered = KV.of(element.getPaneInfo().getIndex(), element.getValue());
              return WindowedValues.withValue(element, KV.of(null, numbered));
            });
    KvCoder<?, ?> coder = KvCoder.of(VoidCoder.of(), KvCoder.of(VarLongCoder.of(), elements));
    Node all =
        graph.operator(
            name + "-all",
            "broadcast",
            List.of(keyed.group(name, name, pairs, coder, windowing)),
            BroadcastOperator.declare(graph.parallelism(), false));
    Coder<? extends BoundedWindow> windows = windowing.getWindowFn().windowCoder();
    return new Sent(
        name,
        all,
        new SideRow.Format(WindowedValues.getFullCoder(IterableCoder.of(elements), windows)));
  }
}
