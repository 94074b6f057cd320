package dev.millrace.testkit.cluster;

import dev.millrace.spi.Log;
import dev.millrace.spi.SplitReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Predicate;

/// A log whose readers return nothing now and then.
final class InterruptedLog {
  private InterruptedLog() {}

  /// @param now whether the reader of a name returns nothing just now
  static Log of(Log log, Predicate<String> now) {
    return proxy(
        Log.class,
        log,
        (name, arguments, result) ->
            name.equals("reader")
                ? reader((SplitReader) result.get(), String.valueOf(arguments.getFirst()), now)
                : result.get());
  }

  private static SplitReader reader(SplitReader reader, String name, Predicate<String> now) {
    return proxy(
        SplitReader.class,
        reader,
        (call, arguments, batch) -> call.equals("poll") && now.test(name) ? null : batch.get());
  }

  private interface Result {
    Object get() throws Throwable;
  }

  private interface Change {
    Object call(String name, List<?> arguments, Result result) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, T to, Change change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                change.call(
                    method.getName(),
                    arguments == null ? List.of() : List.of(arguments),
                    () -> {
                      try {
                        return method.invoke(to, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    })));
  }
}
