package dev.millrace.testkit.cluster;

import dev.millrace.spi.Log;
import dev.millrace.spi.SplitReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.BooleanSupplier;

/// A log of which the readers of signs get nothing for a while.
final class SilentSigns {
  private SilentSigns() {}

  static Log of(Log log, BooleanSupplier silent) {
    return proxy(
        Log.class,
        log,
        (name, arguments, result) ->
            name.equals("reader") && arguments.equals(List.of("signs"))
                ? proxy(
                    SplitReader.class,
                    (SplitReader) result.get(),
                    (call, none, batch) ->
                        call.equals("poll") && silent.getAsBoolean() ? null : batch.get())
                : result.get());
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
