package dev.millrace.internal.beam.translate;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.beam.sdk.io.BoundedReadFromUnboundedSource;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.runners.PTransformOverride;
import org.apache.beam.sdk.runners.PTransformOverrideFactory;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.util.construction.PTransformMatchers;
import org.apache.beam.sdk.util.construction.ReplacementOutputs;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads an unbounded source for so long, or so many elements of it: all of its parts at once. As
/// Beam expands it, a task would read them one after the other.
public final class LimitedRead<T> extends PTransform<PBegin, PCollection<T>> {
  private final UnboundedSource<T, ?> source;
  private final long elements;
  private final @Nullable Duration time;

  /// @param elements how many are read at most
  /// @param time for how long; null for ever
  private LimitedRead(UnboundedSource<T, ?> source, long elements, @Nullable Duration time) {
    this.source = source;
    this.elements = elements;
    this.time = time;
  }

  UnboundedSource<T, ?> source() {
    return source;
  }

  long elements() {
    return elements;
  }

  @Nullable Duration time() {
    return time;
  }

  @Override
  public PCollection<T> expand(PBegin input) {
    return PCollection.createPrimitiveOutputInternal(
        input.getPipeline(),
        WindowingStrategy.globalDefault(),
        PCollection.IsBounded.BOUNDED,
        source.getOutputCoder());
  }

  /// Returns what replaces Beam's transform, unless its source asks for ids to be told apart.
  static PTransformOverride override() {
    return PTransformOverride.of(
        application ->
            PTransformMatchers.classEqualTo(BoundedReadFromUnboundedSource.class)
                    .matches(application)
                && !of((BoundedReadFromUnboundedSource<?>) application.getTransform())
                    .source
                    .requiresDeduping(),
        new Factory<>());
  }

  @SuppressWarnings("unchecked")
  private static <T> LimitedRead<T> of(BoundedReadFromUnboundedSource<T> read) {
    return new LimitedRead<>(
        (UnboundedSource<T, ?>) field(read, "source"),
        (Long) field(read, "maxNumRecords"),
        (Duration) field(read, "maxReadTime"));
  }

  /// Returns what the transform was told, which nothing else says.
  @SuppressWarnings("NullAway") // there may be no time
  private static Object field(BoundedReadFromUnboundedSource<?> read, String name) {
    try {
      Field field = BoundedReadFromUnboundedSource.class.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(read);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "BoundedReadFromUnboundedSource has no field " + name + " in this version of Beam.", e);
    }
  }

  private static final class Factory<T>
      implements PTransformOverrideFactory<
          PBegin, PCollection<T>, BoundedReadFromUnboundedSource<T>> {
    @Override
    public PTransformReplacement<PBegin, PCollection<T>> getReplacementTransform(
        AppliedPTransform<PBegin, PCollection<T>, BoundedReadFromUnboundedSource<T>> applied) {
      return PTransformReplacement.of(applied.getPipeline().begin(), of(applied.getTransform()));
    }

    @Override
    public Map<PCollection<?>, ReplacementOutput> mapOutputs(
        Map<TupleTag<?>, PCollection<?>> outputs, PCollection<T> replacement) {
      return ReplacementOutputs.singleton(outputs, replacement);
    }
  }
}
