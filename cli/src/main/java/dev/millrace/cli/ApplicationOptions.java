package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.api.StreamApplication;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The class path of the user's application.
final class ApplicationOptions {
  @Option(
      names = {"--classpath", "-cp"},
      paramLabel = "PATH",
      description = {
        "Jars and directories with the class and its dependencies other than Millrace, separated as"
            + " in Java's -classpath; DIR/* stands for every jar in DIR."
      })
  private @Nullable String classpath;

  /// Creates the application with this class name, and makes its classes visible to this thread and
  /// to threads that it starts.
  ///
  /// @param className of a [StreamApplication] with a constructor without parameters
  StreamApplication load(String className) {
    ClassLoader loader = loader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Class<?> type = Class.forName(className, true, loader);
      if (!StreamApplication.class.isAssignableFrom(type)) {
        throw usage(
            "%s is not an application: it does not implement %s."
                .formatted(className, StreamApplication.class.getName()));
      }
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return (StreamApplication) constructor.newInstance();
    } catch (ClassNotFoundException _) {
      throw usage(
          "There is no class %s in %s. Give its full name with the package, and its jar or directory with --classpath."
              .formatted(className, classpath == null ? "Millrace's own class path" : classpath));
    } catch (NoClassDefFoundError e) {
      throw usage(
          "%s needs the class %s, which is not on the class path. Add its jar to --classpath."
              .formatted(className, String.valueOf(e.getMessage()).replace('/', '.')));
    } catch (UnsupportedClassVersionError e) {
      throw usage("%s cannot be loaded: %s".formatted(className, e.getMessage()));
    } catch (NoSuchMethodException _) {
      throw usage("%s has no constructor without parameters. Add one.".formatted(className));
    } catch (InvocationTargetException e) {
      throw usage("The constructor of %s failed: %s".formatted(className, e.getCause()));
    } catch (InstantiationException | IllegalAccessException e) {
      throw usage("%s cannot be instantiated: %s".formatted(className, e));
    }
  }

  private ClassLoader loader() {
    ClassLoader own = Objects.requireNonNull(ApplicationOptions.class.getClassLoader());
    if (classpath == null) {
      return own;
    }
    List<URL> urls = new ArrayList<>();
    for (String entry : classpath.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        urls.addAll(entry(entry));
      }
    }
    // It lives as long as the process, and so is never closed.
    return new URLClassLoader("application", urls.toArray(URL[]::new), own);
  }

  private static List<URL> entry(String entry) {
    try {
      boolean wildcard = entry.equals("*") || entry.endsWith("/*");
      Path path = Path.of(wildcard ? entry.substring(0, entry.length() - 1) : entry);
      if (!Files.exists(path)) {
        throw usage("%s, which --classpath names, does not exist.".formatted(entry));
      }
      if (!wildcard) {
        return List.of(path.toUri().toURL());
      }
      List<URL> jars = new ArrayList<>();
      try (Stream<Path> files = Files.list(path)) {
        for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
          jars.add(jar.toUri().toURL());
        }
      }
      return jars;
    } catch (InvalidPathException | MalformedURLException e) {
      throw usage(
          "%s, which --classpath names, is not a valid path: %s".formatted(entry, e.getMessage()));
    } catch (IOException e) {
      throw usage("%s, which --classpath names, cannot be read: %s".formatted(entry, e));
    }
  }

  private static UserException usage(String message) {
    return new UserException(ExitCode.USAGE, message);
  }
}
