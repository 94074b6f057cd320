package dev.millrace.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/// Stands before an object and changes what some of its calls do.
public final class Interposed {
  private Interposed() {}

  /// What the object itself does.
  public interface Call {
    Object go() throws Throwable;
  }

  /// Says what comes of a call.
  public interface Change {
    Object call(String name, List<?> arguments, Call call) throws Throwable;
  }

  /// Returns an object of an interface that stands before another one.
  public static <T> T before(Class<T> type, T to, Change change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
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
