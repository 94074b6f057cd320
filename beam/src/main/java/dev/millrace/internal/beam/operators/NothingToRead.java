package dev.millrace.internal.beam.operators;

import org.apache.beam.runners.core.ReadyCheckingSideInputReader;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollectionView;

/// The views of a transform that reads none.
final class NothingToRead implements ReadyCheckingSideInputReader {
  @Override
  public boolean isReady(PCollectionView<?> view, BoundedWindow window) {
    return true;
  }

  @Override
  public <T> T get(PCollectionView<T> view, BoundedWindow window) {
    throw new IllegalArgumentException("The view is not read here: " + view);
  }

  @Override
  public <T> boolean contains(PCollectionView<T> view) {
    return false;
  }

  @Override
  public boolean isEmpty() {
    return true;
  }
}
