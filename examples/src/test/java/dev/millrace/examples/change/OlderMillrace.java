package dev.millrace.examples.change;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Millrace as it was at a commit: compiled from the repository in which the tests run, with the
/// libraries that they have.
final class OlderMillrace {
  /// The newest commit before changes could be rolled out and rolled back.
  static final String COMMIT = "8e26683ee19c80d28927da16928e7285bbddb464";

  private static final List<String> MODULES =
      List.of(
          "api",
          "spi",
          "state",
          "engine",
          "state-rocksdb",
          "systems/kafka",
          "serdes/json",
          "runtime");
  private static final int NO_SUCH_COMMIT = 128;

  private OlderMillrace() {}

  /// Compiles it, and a program against it.
  ///
  /// @param directory for its sources and classes
  /// @param program a source file that needs nothing else
  /// @return a class path with both
  static String compile(Path directory, Path program) throws IOException, InterruptedException {
    Path sources = Files.createDirectories(directory.resolve("sources"));
    Path zip = directory.resolve("sources.zip");
    archive(zip);
    run("jar", "--extract", "--file", zip.toString(), "--dir", sources.toString());
    String libraries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(OlderMillrace::isLibrary)
            .collect(Collectors.joining(File.pathSeparator));
    List<Path> resources = new ArrayList<>();
    List<String> files = new ArrayList<>();
    files.add(program.toString());
    for (String module : MODULES) {
      resources.add(sources.resolve(module).resolve("src/main/resources"));
      try (Stream<Path> all = Files.walk(sources.resolve(module).resolve("src/main/java"))) {
        all.filter(each -> each.toString().endsWith(".java"))
            .filter(each -> !each.endsWith("module-info.java"))
            .forEach(each -> files.add(each.toString()));
      }
    }
    Path list = directory.resolve("files");
    Files.write(list, files);
    Path classes = directory.resolve("classes");
    run(
        "javac",
        "-J-Xmx512m",
        "-proc:none",
        "-nowarn",
        "-parameters",
        "--release=25",
        "-encoding",
        "UTF-8",
        "-d",
        classes.toString(),
        "-cp",
        libraries,
        "@" + list);
    return Stream.concat(
            Stream.concat(Stream.of(classes), resources.stream().filter(Files::exists))
                .map(Path::toString),
            Stream.of(libraries))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /// Modules of the present Millrace are directories or jars of their own.
  private static boolean isLibrary(String part) {
    return part.endsWith(".jar") && !Path.of(part).getFileName().toString().startsWith("millrace");
  }

  private static void archive(Path zip) throws IOException, InterruptedException {
    Path root = Path.of("").toAbsolutePath().getParent();
    List<String> command =
        new ArrayList<>(List.of("git", "-C", root.toString(), "archive", "--format=zip", "-o"));
    command.addAll(List.of(zip.toString(), COMMIT));
    MODULES.forEach(module -> command.add(module + "/src/main"));
    Said said = say(command);
    if (said.status == NO_SUCH_COMMIT) {
      throw new AssertionError(
          "Commit %1$s, which this test compiles as the older Millrace, is not in the repository at %2$s. In a shallow clone, get it with 'git fetch --unshallow', or 'git fetch origin %1$s'. git says: %3$s"
              .formatted(COMMIT, root, said.text));
    }
    said.require(command);
  }

  private static void run(String tool, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    command.addAll(List.of(arguments));
    say(command).require(command);
  }

  private record Said(int status, String text) {
    void require(List<String> command) {
      if (status != 0) {
        throw new AssertionError(
            "'%s' ended with %d: %s".formatted(String.join(" ", command), status, text));
      }
    }
  }

  private static Said say(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text);
  }
}
