package dev.millrace.internal.beam.operators;

import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.util.UserCodeException;

/// Calls of a function that combines values. What it throws goes on as what user code has thrown.
final class CombineCalls {
  private final CombineFn<Object, Object, Object> fn;

  CombineCalls(CombineFn<Object, Object, Object> fn) {
    this.fn = fn;
  }

  /// Returns an accumulator of one value.
  Object first(Object value) {
    return called(() -> fn.addInput(fn.createAccumulator(), value));
  }

  /// Returns an accumulator with one value more; the one before is of no use then.
  Object add(Object accumulator, Object value) {
    return called(() -> fn.addInput(accumulator, value));
  }

  /// Returns the accumulator in its shortest form, to be sent.
  Object compact(Object accumulator) {
    return called(() -> fn.compact(accumulator));
  }

  /// Returns an accumulator of the values of two, which are of no use then.
  Object merge(Object one, Object other) {
    return called(() -> fn.mergeAccumulators(Arrays.asList(one, other)));
  }

  /// Returns the result of all values.
  Object result(Object accumulator) {
    return called(() -> fn.extractOutput(accumulator));
  }

  private static Object called(Supplier<Object> call) {
    try {
      return call.get();
      // outermost: user code, which may throw whatever it likes
    } catch (RuntimeException e) {
      throw UserCodeException.wrap(e);
    }
  }
}
