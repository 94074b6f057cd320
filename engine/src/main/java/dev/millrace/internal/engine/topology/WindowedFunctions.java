package dev.millrace.internal.engine.topology;

import dev.millrace.api.WindowResult;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Functions of the values of windows' results, applied to the results.
final class WindowedFunctions {
  private WindowedFunctions() {}

  /// The value of a result; null if there is none.
  static @Nullable Object value(@Nullable Object result) {
    return result == null ? null : ((WindowResult<?, ?>) result).value();
  }

  /// A predicate of values.
  record OfValue(Predicate<Object> predicate) implements Predicate<Object>, FunctionCode.Around {
    @Override
    @SuppressWarnings("NullAway") // a predicate is given the null that a mapper returned, too
    public boolean test(Object result) {
      return predicate.test(value(result));
    }

    @Override
    public Serializable function() {
      return predicate;
    }
  }

  /// Another value for the same key and window.
  record ToValue(Mapper<Object, Object> mapper)
      implements Mapper<Object, Object>, FunctionCode.Around {
    @Override
    @SuppressWarnings("NullAway") // a null that a mapper returns is a row without a value
    public Object map(Object result) {
      Object mapped = mapper.map(value(result));
      return result == null || mapped == null ? null : withValue(result, mapped);
    }

    @Override
    public Serializable function() {
      return mapper;
    }
  }

  /// A result of the same key and window.
  static Object withValue(Object result, Object value) {
    WindowResult<?, ?> of = (WindowResult<?, ?>) result;
    return new WindowResult<>(of.window(), of.key(), value);
  }
}
