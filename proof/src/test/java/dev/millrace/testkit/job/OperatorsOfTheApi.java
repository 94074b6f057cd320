package dev.millrace.testkit.job;

import dev.millrace.api.Branches;
import dev.millrace.api.CoGrouped;
import dev.millrace.api.Grouped;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Windowed;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.With;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The operators that an application may use, and those of them that it does use.
final class OperatorsOfTheApi {
  private static final List<Class<?>> INTERFACES =
      List.of(
          Topology.class,
          Stream.class,
          KeyedStream.class,
          Grouped.class,
          Windowed.class,
          WindowedTable.class,
          Table.class,
          CoGrouped.class);

  private OperatorsOfTheApi() {}

  /// All there are, by interface and name.
  static Set<String> all() {
    Set<String> all = new TreeSet<>();
    for (Class<?> type : INTERFACES) {
      for (Method method : type.getMethods()) {
        if (Modifier.isAbstract(method.getModifiers())) {
          all.add(name(method));
        }
      }
    }
    return all;
  }

  private static String name(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }

  /// The same topology; what it is described with goes into a set.
  static Topology noting(Topology topology, Set<String> used) {
    return (Topology) noted(topology, used);
  }

  private static Object noted(Object object, Set<String> used) {
    if (object instanceof Branches<?>(var matching, var rest)) {
      return new Branches<>(noted(matching, used), noted(rest, used));
    }
    for (Class<?> type : INTERFACES) {
      if (type.isInstance(object)) {
        return Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new Noting(object, used));
      }
    }
    return object;
  }

  /// What a noting object stands for, also in the description of a join.
  @SuppressWarnings({"unchecked", "rawtypes"}) // what it stands for is of the same type
  private static Object unwrapped(Object object) {
    return switch (object) {
      case Proxy inner when Proxy.getInvocationHandler(inner) instanceof Noting noting ->
          noting.target;
      case With.OfTable<?, ?> with -> With.table((Table) unwrapped(with.table()));
      case With.OfTableAsOf<?, ?> with ->
          With.asOf((Table) unwrapped(with.table()), with.lateness());
      case With.OfStream<?, ?> with ->
          With.stream((KeyedStream) unwrapped(with.stream()), with.within());
      default -> object;
    };
  }

  private record Noting(Object target, Set<String> used) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      used.add(name(method));
      Object[] own = arguments == null ? new Object[0] : arguments.clone();
      for (int i = 0; i < own.length; i++) {
        own[i] = unwrapped(own[i]);
      }
      try {
        Object result = method.invoke(target, own);
        return result == null ? null : noted(result, used);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
