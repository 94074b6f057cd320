package dev.millrace.house;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What the engine may not reach for itself, read from its bytecode.
///
/// Clock, randomness, threads, files and sockets are handed in, and nothing may depend on an order
/// that differs from one process to the next; so the whole engine runs under a seed in a test.
final class EngineBans {

  /// One ban.
  ///
  /// @param what names it in the tests
  /// @param calls methods and constructors that are banned
  /// @param types classes that may not be seen at all
  /// @param instead what to use
  record Ban(
      String what,
      Predicate<CodeUnitAccessTarget> calls,
      Predicate<JavaClass> types,
      String instead) {}

  private static final String NEW = "<init>";

  static final List<Ban> ALL =
      List.of(
          calls(
              "wall clock",
              any(
                  List.of(
                      to("java.lang.System", "currentTimeMillis", "nanoTime"),
                      to("dev.millrace.spi.Clock", "system"),
                      to("java.time.Clock", "system", "systemUTC", "systemDefaultZone"),
                      to("java.time.Clock", "tickMillis", "tickSeconds", "tickMinutes"),
                      EngineBans::readsTheTime,
                      to("java.util.Date", NEW).and(EngineBans::hasNoParameters))),
              "ask the clock that was handed in"),
          calls(
              "thread",
              any(
                  List.of(
                      to("java.lang.Thread", NEW, "start", "sleep"),
                      to("java.lang.Thread", "ofVirtual", "ofPlatform", "startVirtualThread"))),
              "use the threads that were handed in; a worker waits through its idle strategy"),
          types(
              "executor",
              named(
                  "java.util.Timer",
                  "java.util.concurrent.Executors",
                  "java.util.concurrent.ForkJoinPool",
                  "java.util.concurrent.ForkJoinTask",
                  "java.util.concurrent.ThreadPoolExecutor",
                  "java.util.concurrent.ScheduledThreadPoolExecutor",
                  "java.util.concurrent.StructuredTaskScope"),
              "use the executor that was handed in"),
          calls(
              "common pool",
              to("java.util.concurrent.CompletableFuture", "orTimeout", "completeOnTimeout")
                  .or(EngineBans::isAsyncWithoutExecutor),
              "name the executor that was handed in; time-outs come from the clock"),
          calls(
              "parallel stream",
              any(
                  List.of(
                      to("java.util.Collection", "parallelStream"),
                      to("java.util.stream.BaseStream", "parallel"),
                      target ->
                          isOwner(target, "java.util.Arrays")
                              && target.getName().startsWith("parallel"))),
              "stay on the worker's thread"),
          calls(
              "randomness",
              any(
                  List.of(
                      to("java.lang.Math", "random"),
                      to("java.lang.StrictMath", "random"),
                      to("java.util.UUID", "randomUUID"),
                      to("java.util.Random", NEW).and(EngineBans::hasNoParameters),
                      to("java.util.SplittableRandom", NEW).and(EngineBans::hasNoParameters),
                      to("java.util.random.RandomGenerator", "of", "getDefault"))),
              "use the randomness that was handed in"),
          types(
              "random source",
              named("java.util.concurrent.ThreadLocalRandom", "java.security.SecureRandom"),
              "use the randomness that was handed in"),
          types(
              "file",
              type ->
                  type.getPackageName().equals("java.nio.file.spi")
                      || type.getName().startsWith("java.io.File")
                      || named(
                              "java.io.RandomAccessFile",
                              "java.nio.channels.FileChannel",
                              "java.nio.file.FileSystems",
                              "java.nio.file.Files")
                          .test(type),
              "use the disk that was handed in"),
          types(
              "socket",
              type ->
                  type.getPackageName().startsWith("java.net.http")
                      || type.getPackageName().startsWith("javax.net")
                      || (type.getPackageName().equals("java.net")
                          && !type.getName().equals("java.net.URI"))
                      || (type.getPackageName().equals("java.nio.channels")
                          && (type.getSimpleName().contains("Socket")
                              || type.getSimpleName().contains("Datagram"))),
              "use the log that was handed in"),
          calls(
              "identity",
              to("java.lang.System", "identityHashCode"),
              "give the object a number of its own"),
          types(
              "identity map",
              named("java.util.IdentityHashMap"),
              "give the keys a number of their own"),
          types(
              "thread local",
              named("java.lang.ThreadLocal", "java.lang.InheritableThreadLocal"),
              "keep it in the object that the worker owns"),
          calls(
              "unspecified order",
              any(
                  List.of(
                      to("java.util.Map", "of", "ofEntries", "copyOf"),
                      to("java.util.Set", "of", "copyOf"),
                      to("java.util.stream.Collectors", "toUnmodifiableMap", "toUnmodifiableSet"))),
              "their order differs between processes: use List, LinkedHashMap or TreeMap"));

  private EngineBans() {}

  /// What the classes of the engine among the given ones do against the bans, a sentence each.
  static Set<String> violations(Iterable<JavaClass> classes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass javaClass : classes) {
      String name = javaClass.getPackageName();
      if (name.equals("dev.millrace.internal.engine")
          || name.startsWith("dev.millrace.internal.engine.")) {
        ALL.forEach(ban -> found.addAll(violations(ban, javaClass)));
      }
    }
    return found;
  }

  static Set<String> violations(Ban ban, JavaClass javaClass) {
    Set<String> found = new TreeSet<>();
    for (JavaAccess<?> access : javaClass.getAccessesFromSelf()) {
      if (access.getTarget() instanceof CodeUnitAccessTarget target && ban.calls().test(target)) {
        found.add(access.getDescription() + ": " + ban.instead());
      }
    }
    for (Dependency dependency : javaClass.getDirectDependenciesFromSelf()) {
      if (ban.types().test(dependency.getTargetClass().getBaseComponentType())) {
        found.add(dependency.getDescription() + ": " + ban.instead());
      }
    }
    return found;
  }

  /// `now` of any class of `java.time`, unless a clock is handed to it.
  private static boolean readsTheTime(CodeUnitAccessTarget target) {
    return target.getOwner().getPackageName().startsWith("java.time")
        && target.getName().equals("now")
        && target.getRawParameterTypes().stream()
            .noneMatch(type -> type.getName().equals("java.time.Clock"));
  }

  private static boolean isAsyncWithoutExecutor(CodeUnitAccessTarget target) {
    return target.getOwner().isAssignableTo("java.util.concurrent.CompletionStage")
        && target.getName().endsWith("Async")
        && target.getRawParameterTypes().stream()
            .noneMatch(type -> type.getName().equals("java.util.concurrent.Executor"));
  }

  private static boolean hasNoParameters(CodeUnitAccessTarget target) {
    return target.getRawParameterTypes().isEmpty();
  }

  private static boolean isOwner(CodeUnitAccessTarget target, String type) {
    return target.getOwner().isAssignableTo(type);
  }

  private static Predicate<CodeUnitAccessTarget> to(String type, String... names) {
    Set<String> banned = Set.of(names);
    return target -> banned.contains(target.getName()) && isOwner(target, type);
  }

  private static Predicate<CodeUnitAccessTarget> any(List<Predicate<CodeUnitAccessTarget>> calls) {
    return target -> calls.stream().anyMatch(call -> call.test(target));
  }

  private static Predicate<JavaClass> named(String... types) {
    return type -> Stream.of(types).anyMatch(type.getName()::equals);
  }

  private static Ban calls(String what, Predicate<CodeUnitAccessTarget> calls, String instead) {
    return new Ban(what, calls, _ -> false, instead);
  }

  private static Ban types(String what, Predicate<JavaClass> types, String instead) {
    return new Ban(what, _ -> false, types, instead);
  }
}
