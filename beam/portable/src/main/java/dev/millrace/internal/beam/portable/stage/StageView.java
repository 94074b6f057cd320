package dev.millrace.internal.beam.portable.stage;

import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.Materialization;
import org.apache.beam.sdk.transforms.Materializations;
import org.apache.beam.sdk.transforms.Materializations.IterableView;
import org.apache.beam.sdk.transforms.ViewFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.construction.RunnerPCollectionView;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TypeDescriptor;
import org.apache.beam.sdk.values.WindowingStrategy;

/// A collection that is read beside elements. What a harness makes of it is its own business: here
/// it is the elements of each window.
///
/// @param view by which it is kept
/// @param elements the coder of its elements, as the harness knows them
/// @param windows the coder of its windows
public record StageView(
    PCollectionView<?> view, Coder<Object> elements, Coder<? extends BoundedWindow> windows) {

  /// What a transform calls a view.
  ///
  /// @param transform the id of the transform
  /// @param local its name there
  public record Name(String transform, String local) {}

  /// Returns the view of a collection.
  ///
  /// @param collection its id
  @SuppressWarnings({"unchecked", "rawtypes"})
  public static StageView of(
      String collection, Coder<Object> elements, WindowingStrategy<?, ?> windowing) {
    return new StageView(
        new RunnerPCollectionView<>(
            null,
            new TupleTag<>(collection),
            (ViewFn) new AllElements(),
            windowing.getWindowFn().getDefaultWindowMappingFn(),
            windowing,
            elements),
        elements,
        windowing.getWindowFn().windowCoder());
  }

  /// Makes nothing of elements.
  private static final class AllElements extends ViewFn<IterableView<Object>, Iterable<Object>> {
    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Materialization<IterableView<Object>> getMaterialization() {
      return (Materialization) Materializations.iterable();
    }

    @Override
    public Iterable<Object> apply(IterableView<Object> contents) {
      return contents.get();
    }

    @Override
    public TypeDescriptor<Iterable<Object>> getTypeDescriptor() {
      return new TypeDescriptor<>() {};
    }
  }
}
