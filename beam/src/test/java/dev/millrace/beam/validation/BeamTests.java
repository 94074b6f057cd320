package dev.millrace.beam.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.beam.sdk.testing.ValidatesRunner;
import org.jspecify.annotations.Nullable;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/// The tests by which Beam says what a runner must do, found in the jar of its own tests.
final class BeamTests {
  private static final String PACKAGE = "org.apache.beam.sdk.";

  /// A class that is in this jar.
  private static final String KNOWN = "/org/apache/beam/sdk/testing/PAssertTest.class";

  private BeamTests() {}

  /// One of them.
  ///
  /// @param categories the simple names of all of its categories
  record BeamTest(Class<?> type, String method, SortedSet<String> categories)
      implements Comparable<BeamTest> {
    /// Returns the class, without the package that all have in common, and the method.
    String name() {
      return type.getName().substring(PACKAGE.length()) + "#" + method;
    }

    @Override
    public int compareTo(BeamTest other) {
      return name().compareTo(other.name());
    }
  }

  /// Returns all that are not ignored, in the order of their names.
  static SortedSet<BeamTest> all() {
    SortedSet<BeamTest> found = new TreeSet<>();
    for (Class<?> type : classes()) {
      for (Method method : methods(type)) {
        SortedSet<String> categories = new TreeSet<>();
        boolean validates = add(type.getAnnotation(Category.class), categories);
        validates |= add(method.getAnnotation(Category.class), categories);
        if (validates && !method.isAnnotationPresent(Ignore.class)) {
          found.add(new BeamTest(type, method.getName(), categories));
        }
      }
    }
    return found;
  }

  /// Runs a test, with the options that are set.
  ///
  /// @throws AssertionError if it fails, or is not run
  static void run(String name) throws ClassNotFoundException {
    int separator = name.indexOf('#');
    Class<?> type = Class.forName(PACKAGE + name.substring(0, separator));
    Result result = new JUnitCore().run(Request.method(type, name.substring(separator + 1)));
    List<Failure> failures = new ArrayList<>(result.getFailures());
    if (!failures.isEmpty()) {
      throw new AssertionError(
          "%s: %s".formatted(name, failures.getFirst().getMessage()),
          failures.getFirst().getException());
    }
    assertEquals(1, result.getRunCount(), name + " was not run");
    assertEquals(0, result.getIgnoreCount(), name + " was ignored");
  }

  private static boolean add(@Nullable Category annotation, SortedSet<String> categories) {
    boolean validates = false;
    if (annotation != null) {
      for (Class<?> each : annotation.value()) {
        categories.add(each.getSimpleName());
        validates |= ValidatesRunner.class.isAssignableFrom(each);
      }
    }
    return validates;
  }

  private static List<Method> methods(Class<?> type) {
    List<Method> tests = new ArrayList<>();
    for (Method each : type.getMethods()) {
      if (each.isAnnotationPresent(Test.class)) {
        tests.add(each);
      }
    }
    return tests;
  }

  private static JarFile jar() throws IOException {
    URL known = Objects.requireNonNull(BeamTests.class.getResource(KNOWN));
    JarURLConnection connection = (JarURLConnection) known.openConnection();
    connection.setUseCaches(false);
    return connection.getJarFile();
  }

  /// Returns a class; null if what it needs is not there.
  private static @Nullable Class<?> load(String name) {
    try {
      return Class.forName(name, false, BeamTests.class.getClassLoader());
    } catch (ClassNotFoundException | NoClassDefFoundError _) {
      return null;
    }
  }

  private static List<Class<?>> classes() {
    List<Class<?>> classes = new ArrayList<>();
    try (JarFile jar = jar()) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        String name = entry.getName();
        if (name.endsWith(".class") && name.contains("Test")) {
          Class<?> type =
              load(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
          if (type != null
              && Modifier.isPublic(type.getModifiers())
              && !Modifier.isAbstract(type.getModifiers())) {
            classes.add(type);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return classes;
  }
}
