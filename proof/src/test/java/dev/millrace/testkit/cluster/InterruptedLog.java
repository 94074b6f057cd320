package dev.millrace.testkit.cluster;

import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// A log whose readers return nothing now and then, or nothing of some splits.
final class InterruptedLog {
  private InterruptedLog() {}

  /// @param now whether a reader returns nothing just now
  /// @param held whether nothing of a split is returned just now
  static Log of(Log log, BooleanSupplier now, Predicate<Split> held) {
    return proxy(
        Log.class,
        log,
        (name, arguments, result) ->
            name.equals("reader") ? reader((SplitReader) result.get(), now, held) : result.get());
  }

  private static SplitReader reader(
      SplitReader reader, BooleanSupplier now, Predicate<Split> held) {
    Set<Split> read = new TreeSet<>(Comparator.comparing(Split::toString));
    return proxy(
        SplitReader.class,
        reader,
        (call, arguments, result) -> {
          switch (call) {
            case "add" -> read.add((Split) arguments.getFirst());
            case "remove" -> read.remove((Split) arguments.getFirst());
            case "poll" -> {
              if (now.getAsBoolean()) {
                return null;
              }
              for (Split split : read) {
                if (held.test(split)) {
                  reader.pause(split);
                } else {
                  reader.resume(split);
                }
              }
            }
            default -> {}
          }
          return result.get();
        });
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
