package dev.millrace.internal.beam.translate;

import dev.millrace.internal.beam.operators.BroadcastOperator;
import dev.millrace.internal.beam.operators.CombineSpec;
import dev.millrace.internal.beam.operators.DoFnSpec;
import dev.millrace.internal.beam.operators.EventsOperator;
import dev.millrace.internal.beam.operators.ParDoOperator;
import dev.millrace.internal.beam.operators.Partitions;
import dev.millrace.internal.beam.operators.ReadOperator;
import dev.millrace.internal.beam.operators.RunContext;
import dev.millrace.internal.beam.operators.SideRow;
import dev.millrace.internal.beam.operators.StableClock;
import dev.millrace.internal.beam.operators.StableOperator;
import dev.millrace.internal.beam.operators.StayOperator;
import dev.millrace.internal.beam.operators.Tagged;
import dev.millrace.internal.beam.operators.TestTime;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.beam.runners.core.KeyedWorkItemCoder;
import org.apache.beam.runners.core.SplittableParDoViaKeyedWorkItems;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.Pipeline.PipelineVisitor;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.IterableCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.DoFnSchemaInformation;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.Impulse;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Redistribute;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.util.construction.ParDoTranslation;
import org.apache.beam.sdk.util.construction.SplittableParDo;
import org.apache.beam.sdk.util.construction.SplittableParDo.PrimitiveBoundedRead;
import org.apache.beam.sdk.util.construction.SplittableParDo.PrimitiveUnboundedRead;
import org.apache.beam.sdk.util.construction.TransformInputs;
import org.apache.beam.sdk.util.construction.UnboundedReadFromBoundedSource.BoundedToUnboundedSourceAdapter;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.PCollectionViews;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.jspecify.annotations.Nullable;

/// Makes a topology of a pipeline, whose transforms have been replaced by those that are known
/// here: each becomes an operator, with an exchange before it where elements go to the task that
/// has their key.
public final class Translator extends PipelineVisitor.Defaults {
  private final PipelineOptions options;
  private final RunContext run;
  private final Graph graph;
  private final Keyed keyed;
  private final Map<PValue, Node> nodes = new LinkedHashMap<>();

  /// By its tag, what sends a view to all tasks.
  private final Map<TupleTag<?>, Sent> views = new LinkedHashMap<>();

  /// What sends a view to all tasks.
  private record Sent(String name, Node from, SideRow.Format format) {}

  private Translator(PipelineOptions options, RunContext run, int parallelism) {
    this.options = options;
    this.run = run;
    graph = new Graph(parallelism);
    keyed = new Keyed(graph, options, run);
  }

  /// Translates a pipeline.
  ///
  /// @param parallelism how many tasks each part has
  /// @throws UnsupportedOperationException if it has a transform that is not known
  public static Translation translate(Pipeline pipeline, RunContext run, int parallelism) {
    Translator translator = new Translator(pipeline.getOptions(), run, parallelism);
    pipeline.traverseTopologically(translator);
    return new Translation(translator.graph.complete(), translator.graph.streams());
  }

  @Override
  @SuppressWarnings("deprecation") // what runners may use
  public void visitPrimitiveTransform(TransformHierarchy.Node node) {
    AppliedPTransform<?, ?, ?> applied = node.toAppliedPTransform(getPipeline());
    PTransform<?, ?> transform = applied.getTransform();
    switch (transform) {
      case Impulse _ -> impulse(applied);
      case PrimitiveBoundedRead<?> read ->
          read(
              applied,
              new BoundedToUnboundedSourceAdapter<>(read.getSource()),
              ReadOperator.Limit.NONE);
      case PrimitiveUnboundedRead<?> read ->
          read(applied, read.getSource(), ReadOperator.Limit.NONE);
      case LimitedRead<?> read ->
          read(applied, read.source(), new ReadOperator.Limit(read.elements(), read.time()));
      case TestStream<?> events -> events(applied, events);
      case ParDo.MultiOutput<?, ?> parDo -> parDo(applied, parDo);
      case SplittableParDo.ProcessKeyedElements<?, ?, ?, ?> splittable ->
          splittable(applied, splittable);
      case GroupByKey<?, ?> _ -> groupByKey(applied);
      case Flatten.PCollections<?> _ -> flatten(applied);
      case Window.Assign<?> assign -> assign(applied, assign);
      case View.CreatePCollectionView<?, ?> view -> view(applied, view.getView());
      default ->
          throw new UnsupportedOperationException(
              "The transform '%s' (%s) is not known to the Millrace runner."
                  .formatted(node.getFullName(), transform.getClass().getName()));
    }
  }

  private static PCollection<?> input(AppliedPTransform<?, ?, ?> applied) {
    return (PCollection<?>) inputs(applied).iterator().next();
  }

  private static Collection<PValue> inputs(AppliedPTransform<?, ?, ?> applied) {
    return TransformInputs.nonAdditionalInputs(applied);
  }

  private static PCollection<?> output(AppliedPTransform<?, ?, ?> applied) {
    return applied.getOutputs().values().iterator().next();
  }

  private Node node(PValue value) {
    Node node = nodes.get(value);
    if (node == null) {
      throw new IllegalStateException("Nothing gives " + value);
    }
    return node;
  }

  private void impulse(AppliedPTransform<?, ?, ?> applied) {
    Node root = graph.root(graph.name(applied.getFullName()), 1);
    nodes.put(
        output(applied), graph.map(root, _ -> WindowedValues.valueInGlobalWindow(new byte[0])));
  }

  private void read(
      AppliedPTransform<?, ?, ?> applied, UnboundedSource<?, ?> source, ReadOperator.Limit limit) {
    nodes.put(output(applied), new Reads(graph, options, run).of(applied, source, limit));
  }

  private void events(AppliedPTransform<?, ?, ?> applied, TestStream<?> events) {
    TestTime time = run.time();
    if (time == null) {
      throw new UnsupportedOperationException(
          "'%s' is a TestStream, which only TestMillraceRunner runs."
              .formatted(applied.getFullName()));
    }
    String name = graph.name(applied.getFullName());
    Node root = graph.root(name + "-root", 0);
    nodes.put(
        output(applied),
        graph.operator(name, "events", List.of(root), EventsOperator.declare(name, events, time)));
  }

  private void parDo(AppliedPTransform<?, ?, ?> applied, ParDo.MultiOutput<?, ?> parDo) {
    PCollection<?> input = input(applied);
    DoFnSpec spec =
        new DoFnSpec(
            applied.getFullName(),
            options,
            SerializableUtils.serializeToByteArray(parDo.getFn()),
            input.getCoder(),
            ParDoTranslation.getOutputCoders(applied),
            parDo.getMainOutputTag(),
            parDo.getAdditionalOutputTags().getAll(),
            input.getWindowingStrategy(),
            ParDo.getDoFnSchemaInformation(parDo.getFn(), input),
            parDo.getSideInputs());
    DoFnSignature signature = DoFnSignatures.signatureForDoFn(parDo.getFn());
    boolean isKeyed = signature.usesState() || signature.usesTimers();
    Coder<?> rows = isKeyed ? ((KvCoder<?, ?>) input.getCoder()).getValueCoder() : input.getCoder();
    place(
        applied,
        spec,
        Stability.of(parDo.getFn()),
        isKeyed ? ((KvCoder<?, ?>) input.getCoder()).getKeyCoder() : null,
        WindowedValues.getFullCoder(Erased.coder(rows), windows(input)));
  }

  private <I, R, P, E> void splittable(
      AppliedPTransform<?, ?, ?> applied,
      SplittableParDo.ProcessKeyedElements<I, P, R, E> splittable) {
    PCollection<?> input = input(applied);
    KvCoder<?, ?> pairs = (KvCoder<?, ?>) input.getCoder();
    Coder<?> items =
        KeyedWorkItemCoder.of(pairs.getKeyCoder(), pairs.getValueCoder(), windows(input));
    DoFnSpec spec =
        new DoFnSpec(
            applied.getFullName(),
            options,
            SerializableUtils.serializeToByteArray(
                new SplittableParDoViaKeyedWorkItems.ProcessElements<I, P, R, Object, E>(splittable)
                    .newProcessFn(splittable.getFn())),
            items,
            splittable.getOutputTagsToCoders(),
            splittable.getMainOutputTag(),
            splittable.getAdditionalOutputTags().getAll(),
            splittable.getInputWindowingStrategy(),
            DoFnSchemaInformation.create(),
            splittable.getSideInputMapping());
    place(
        applied,
        spec,
        Stability.of(splittable.getFn()),
        pairs.getKeyCoder(),
        WindowedValues.getFullCoder(Erased.coder(pairs.getValueCoder()), windows(input)));
  }

  /// Adds the operator of a DoFn.
  ///
  /// @param stability what the DoFn asks of its input
  /// @param keys the coder of the keys, if its state is by key; null otherwise
  /// @param waiting the coder of elements that wait for views
  private void place(
      AppliedPTransform<?, ?, ?> applied,
      DoFnSpec spec,
      Stability stability,
      @Nullable Coder<?> keys,
      Coder<WindowedValue<Object>> waiting) {
    String name = graph.name(applied.getFullName());
    List<PCollectionView<?>> sides = spec.sides().values().stream().distinct().toList();
    List<Node> from = new ArrayList<>();
    Node main = main(name, input(applied), keys != null, !sides.isEmpty());
    StableClock clock =
        stability == Stability.WITH_CLOCK ? new StableClock(graph.parallelism()) : null;
    from.add(
        stability == Stability.NONE
            ? main
            : stable(name, main, input(applied), keys != null, clock));
    sides.forEach(view -> from.add(side(name, view)));
    Map<TupleTag<?>, Integer> outputs = new LinkedHashMap<>();
    applied.getOutputs().keySet().forEach(tag -> outputs.put(tag, outputs.size()));
    ParDoOperator.Place place =
        new ParDoOperator.Place(name, keys, outputs, sides, waiting, graph.parallelism());
    outputs(
        applied,
        outputs,
        graph.operator(name, "pardo", from, ParDoOperator.declare(spec, place, run.with(clock))));
  }

  /// Lets elements wait until they are committed. Where they have keys, these are those of the
  /// rows.
  private Node stable(
      String name, Node main, PCollection<?> input, boolean isKeyed, @Nullable StableClock clock) {
    Coder<?> elements =
        isKeyed ? ((KvCoder<?, ?>) input.getCoder()).getValueCoder() : input.getCoder();
    StableOperator.Spec spec =
        new StableOperator.Spec(
            name + "-stable",
            WindowedValues.getFullCoder(Erased.coder(elements), windows(input)),
            run,
            clock);
    return graph.operator(name + "-stable", "stable", List.of(main), StableOperator.declare(spec));
  }

  @SuppressWarnings("deprecation") // what runners may use
  private static TupleTag<?> tag(PCollectionView<?> view) {
    return view.getTagInternal();
  }

  @SuppressWarnings("deprecation") // what runners may use
  private static boolean isOneValue(PCollectionView<?> view) {
    return view.getViewFn() instanceof PCollectionViews.IsSingletonView;
  }

  /// Returns a view where it is read. Whoever reads it has an exchange of its own: a common one
  /// would make one stage of all that read it.
  private Node side(String reader, PCollectionView<?> view) {
    Sent sent = Objects.requireNonNull(views.get(tag(view)), "Nothing sends " + view);
    return graph.exchange(
        graph.name(sent.name() + "-for-" + reader), sent.from(), null, sent.format());
  }

  /// Returns the elements of a ParDo where they are processed.
  private Node main(String name, PCollection<?> input, boolean isKeyed, boolean hasSides) {
    Node node = node(input);
    Coder<? extends BoundedWindow> windows = windows(input);
    if (isKeyed) {
      KvCoder<?, ?> pairs = (KvCoder<?, ?>) input.getCoder();
      return keyed.send(name, node, pairs.getKeyCoder(), PairSerde.of(pairs, windows));
    }
    // A view that is made of the same elements would have the stage feed itself.
    return hasSides ? stay(name, node, input.getCoder(), windows) : node;
  }

  /// Sends elements to the task of the same number in a new stage.
  private Node stay(
      String name, Node node, Coder<?> elements, Coder<? extends BoundedWindow> windows) {
    return graph.exchange(
        name + "-main",
        graph.operator(
            name + "-stay",
            "stay",
            List.of(node),
            StayOperator.declare(new Partitions(graph.parallelism()))),
        null,
        ElementSerde.of(elements, windows));
  }

  private static Coder<? extends BoundedWindow> windows(PCollection<?> of) {
    return of.getWindowingStrategy().getWindowFn().windowCoder();
  }

  private void outputs(
      AppliedPTransform<?, ?, ?> applied, Map<TupleTag<?>, Integer> numbers, Node from) {
    if (numbers.size() == 1) {
      nodes.put(output(applied), from);
      return;
    }
    applied
        .getOutputs()
        .forEach((tag, collection) -> {
          int number = Objects.requireNonNull(numbers.get(tag));
          Node chosen = graph.filter(from, row -> ((Tagged) row).output() == number);
          nodes.put(collection, graph.map(chosen, row -> ((Tagged) row).value()));
        });
  }

  private void groupByKey(AppliedPTransform<?, ?, ?> applied) {
    PCollection<?> input = input(applied);
    nodes.put(
        output(applied),
        keyed.group(
            graph.name(applied.getFullName()),
            applied.getFullName(),
            node(input),
            (KvCoder<?, ?>) input.getCoder(),
            input.getWindowingStrategy()));
  }

  @Override
  public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
    return switch (node.getTransform()) {
      case Combine.PerKey<?, ?, ?> combine -> combine(applied(node), combine);
      case Reshuffle<?, ?> _ -> redistribute(applied(node));
      case Redistribute.RedistributeByKey<?, ?> _ -> redistribute(applied(node));
      case null, default -> CompositeBehavior.ENTER_TRANSFORM;
    };
  }

  private AppliedPTransform<?, ?, ?> applied(TransformHierarchy.Node node) {
    return node.toAppliedPTransform(getPipeline());
  }

  private CompositeBehavior combine(
      AppliedPTransform<?, ?, ?> applied, Combine.PerKey<?, ?, ?> combine) {
    CombineSpec spec = Combines.spec(applied, combine);
    if (spec == null) {
      return CompositeBehavior.ENTER_TRANSFORM;
    }
    PCollection<?> input = input(applied);
    nodes.put(
        output(applied),
        keyed.combine(
            graph.name(applied.getFullName()),
            spec,
            node(input),
            (KvCoder<?, ?>) input.getCoder(),
            input.getWindowingStrategy()));
    return CompositeBehavior.DO_NOT_ENTER_TRANSFORM;
  }

  private CompositeBehavior redistribute(AppliedPTransform<?, ?, ?> applied) {
    PCollection<?> input = input(applied);
    nodes.put(
        output(applied),
        keyed.redistribute(
            graph.name(applied.getFullName()),
            node(input),
            (KvCoder<?, ?>) input.getCoder(),
            windows(input)));
    return CompositeBehavior.DO_NOT_ENTER_TRANSFORM;
  }

  private void flatten(AppliedPTransform<?, ?, ?> applied) {
    List<Node> inputs = new ArrayList<>();
    for (PValue input : inputs(applied)) {
      inputs.add(node(input));
    }
    String name = graph.name(applied.getFullName());
    nodes.put(
        output(applied),
        inputs.isEmpty() ? graph.root(name, 0) : flatten(name, inputs, output(applied)));
  }

  /// Elements of one stage go on in it. Those of several are sent to a new one: where one of these
  /// feeds another, they could not be one stage.
  private Node flatten(String name, List<Node> inputs, PCollection<?> output) {
    if (graph.areOfOneStage(inputs)) {
      return graph.merge(inputs);
    }
    List<Node> sent = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      sent.add(stay(name + "-" + i, inputs.get(i), output.getCoder(), windows(output)));
    }
    return graph.merge(sent);
  }

  private void assign(AppliedPTransform<?, ?, ?> applied, Window.Assign<?> assign) {
    nodes.put(
        output(applied),
        graph.map(
            node(input(applied)),
            new WindowAssigning(Objects.requireNonNull(assign.getWindowFn()))));
  }

  /// The elements of a view in a window go together to all tasks, each with the number of the pane
  /// in which it came.
  private void view(AppliedPTransform<?, ?, ?> applied, PCollectionView<?> view) {
    PCollection<?> input = input(applied);
    String name = graph.name(applied.getFullName());
    Coder<Object> elements = Erased.coder(input.getCoder());
    Coder<? extends BoundedWindow> windows = windows(input);
    Node pairs =
        graph.map(
            node(input),
            row -> {
              WindowedValue<?> element = (WindowedValue<?>) row;
              KV<Long, ?> numbered = KV.of(element.getPaneInfo().getIndex(), element.getValue());
              return WindowedValues.withValue(element, KV.of(null, numbered));
            });
    KvCoder<Long, Object> numbered = KvCoder.of(VarLongCoder.of(), elements);
    KvCoder<?, ?> coder = KvCoder.of(VoidCoder.of(), numbered);
    Node grouped =
        keyed.group(name, applied.getFullName(), pairs, coder, input.getWindowingStrategy());
    Node sent =
        graph.operator(
            name + "-all",
            "broadcast",
            List.of(grouped),
            BroadcastOperator.declare(graph.parallelism(), isOneValue(view)));
    SideRow.Format format =
        new SideRow.Format(WindowedValues.getFullCoder(IterableCoder.of(elements), windows));
    views.put(tag(view), new Sent(name, sent, format));
    nodes.put(output(applied), node(input));
  }
}
