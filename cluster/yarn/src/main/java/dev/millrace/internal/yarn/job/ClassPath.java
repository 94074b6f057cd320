package dev.millrace.internal.yarn.job;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/// A class path of this machine as jars that can be copied elsewhere.
public final class ClassPath {
  /// What every entry of a jar that is made here has, so that equal classes make equal jars.
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private static final String JAR = ".jar";

  private ClassPath() {}

  /// Returns the jars of a class path in its order, by names of which no two are equal. A directory
  /// of classes is made a jar.
  ///
  /// @param text as after Java's `-classpath`
  /// @param work a directory for jars that are made
  /// @throws IllegalArgumentException if it names what is not there
  public static Map<String, Path> jars(String text, Path work) throws IOException {
    Map<String, Path> jars = new LinkedHashMap<>();
    for (String entry : text.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        for (Path each : expanded(entry)) {
          Path jar = Files.isDirectory(each) ? pack(each, work, jars.size()) : each;
          put(jars, jar);
        }
      }
    }
    return jars;
  }

  private static void put(Map<String, Path> jars, Path jar) {
    String name = String.valueOf(jar.getFileName());
    String free = name;
    for (int i = 2; jars.containsKey(free); i++) {
      free = i + "-" + name;
    }
    jars.put(free, jar);
  }

  private static List<Path> expanded(String entry) throws IOException {
    boolean all = entry.equals("*") || entry.endsWith("/*");
    Path path = Path.of(all ? entry.substring(0, entry.length() - 1) : entry);
    if (!Files.exists(path)) {
      throw new IllegalArgumentException(
          "%s, which the class path names, does not exist.".formatted(entry));
    }
    if (!all) {
      return List.of(path);
    }
    try (Stream<Path> found = Files.list(path)) {
      return found.filter(file -> file.toString().endsWith(JAR)).sorted().toList();
    }
  }

  private static Path pack(Path directory, Path work, int number) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> found = Files.walk(directory)) {
      found.filter(Files::isRegularFile).sorted().forEach(files::add);
    }
    Path jar = work.resolve("classes-%d%s".formatted(number, JAR));
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Path each : files) {
        JarEntry entry =
            new JarEntry(directory.relativize(each).toString().replace(File.separatorChar, '/'));
        entry.setTimeLocal(TIME);
        out.putNextEntry(entry);
        Files.copy(each, out);
        out.closeEntry();
      }
    }
    return jar;
  }
}
