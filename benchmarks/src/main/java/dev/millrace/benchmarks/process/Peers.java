package dev.millrace.benchmarks.process;

import dev.millrace.benchmarks.process.Child.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The engines of others. They have modules of their own below `benchmarks`, which nothing depends
/// on; their build leaves the class path in a file.
public final class Peers {
  /// Flink and Jet reach into the JDK; this is what their distributions open, as far as jobs like
  /// these need it.
  public static final List<String> OPENED =
      Stream.of(
              "java.base/java.lang",
              "java.base/java.util",
              "java.base/java.util.concurrent",
              "java.base/java.util.concurrent.atomic",
              "java.base/java.nio",
              "java.base/sun.nio.ch",
              "java.management/sun.management",
              "jdk.management/com.sun.management.internal")
          .map(each -> "--add-opens=" + each + "=ALL-UNNAMED")
          .toList();

  private Peers() {}

  /// The program of an engine.
  ///
  /// @param title of the engine, for messages
  /// @param module the directory of its module
  /// @throws IllegalStateException if it was not built
  public static Program built(String title, Path module, String main, List<String> options) {
    Path file = module.resolve("target/peer.classpath");
    try {
      return new Program(
          main, module.resolve("target/classes") + ":" + Files.readString(file).strip(), options);
    } catch (NoSuchFileException e) {
      throw new IllegalStateException(
          "%s is not built: %s does not exist. In the working copy of Millrace: mvn package -Ppeers -DskipTests"
              .formatted(title, file),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
