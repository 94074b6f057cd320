package dev.millrace.internal.beam.operators;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// The views that a transform reads, and the elements that wait for them: an element is processed
/// in a window when each view has something for it, or can have nothing any more.
public final class AwaitedViews {
  private static final int RELEASED_AT_ONCE = 2_000;

  private final SideInputs inputs;
  private final WaitingElements waiting;

  /// Whether elements may wait whose views are there.
  private boolean mayRelease = true;

  /// What is done with an element whose views are there.
  @FunctionalInterface
  public interface Processing {
    /// @param element of one window
    /// @param key of the row that it came in; null if it had none
    void process(WindowedValue<Object> element, @Nullable Bytes key);
  }

  /// Opens them on what the stores have.
  ///
  /// @param views in the order of the operator's inputs
  /// @param senders how many tasks send each of them
  /// @param elements the coder of what waits
  /// @param windowCoder of the windows of the elements
  public AwaitedViews(
      OperatorContext context,
      String operator,
      List<PCollectionView<?>> views,
      int senders,
      Coder<WindowedValue<Object>> elements,
      Coder<? extends BoundedWindow> windowCoder) {
    inputs = new SideInputs(context, operator, views, senders);
    waiting = new WaitingElements(context, operator, elements, windowCoder);
  }

  /// Returns the stores that an operator has for them.
  public static List<StoreSpec<?, ?>> stores(String operator) {
    return List.of(SideInputs.store(operator), WaitingElements.store(operator));
  }

  /// Returns the views.
  public SideInputs inputs() {
    return inputs;
  }

  /// Takes in what has come for a view.
  public void take(int view, SideRow row) {
    mayRelease |= inputs.take(view, row);
  }

  /// Processes an element in the windows whose views are there, and keeps it for the others.
  ///
  /// @param key of the row that it came in; null if it had none
  public void admit(WindowedValue<Object> element, @Nullable Bytes key, Processing processing) {
    for (WindowedValue<Object> each : element.explodeWindows()) {
      if (inputs.areReady(each.getWindows().iterator().next())) {
        processing.process(each, key);
      } else {
        waiting.add(key, each);
      }
    }
  }

  /// Whether [#release] may have something to do.
  public boolean mayRelease() {
    return mayRelease;
  }

  /// Processes elements that need not wait any longer: some of them, if there are many.
  public void release(Processing processing) {
    if (mayRelease) {
      mayRelease = !waiting.take(inputs::areReady, RELEASED_AT_ONCE, processing);
    }
  }

  /// Puts into the store what waits, as before a commit.
  public void store() {
    waiting.store();
  }

  /// Returns the earliest timestamp of an element that waits, in milliseconds since 1970;
  /// `Long.MAX_VALUE` if none does.
  public long hold() {
    return waiting.hold();
  }
}
