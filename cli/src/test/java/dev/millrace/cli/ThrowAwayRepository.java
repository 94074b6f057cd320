package dev.millrace.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// A local Maven repository that has Millrace as it was just compiled, and everything else by links
/// to the usual one, which does not change.
final class ThrowAwayRepository {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern ARTIFACT =
      Pattern.compile("(?s)<artifactId>(millrace[^<]*)</artifactId>\\s*<(?:name|version)>");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  private ThrowAwayRepository() {}

  /// The root of the working copy that the current directory is in.
  static Path root() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("docs/first-hour.md"))) {
        return at;
      }
    }
    throw new AssertionError("There is no working copy around " + Path.of("").toAbsolutePath());
  }

  /// The version that is built.
  static String version() throws IOException {
    Matcher found = VERSION.matcher(Files.readString(root().resolve("pom.xml")));
    if (!found.find()) {
      throw new AssertionError("The parent pom has no version.");
    }
    return found.group(1);
  }

  /// Makes it.
  ///
  /// @param usual the local repository of this build
  static void make(Path repository, Path usual) throws IOException {
    Files.createDirectories(repository.resolve("dev"));
    link(usual, repository, "dev");
    if (Files.isDirectory(usual.resolve("dev"))) {
      link(usual.resolve("dev"), repository.resolve("dev"), "millrace");
    }
    String parent = Files.readString(root().resolve("pom.xml"));
    String version = version();
    install(repository, root(), "millrace-parent", version);
    Matcher module = MODULE.matcher(parent);
    while (module.find()) {
      Path directory = root().resolve(module.group(1));
      Matcher artifact = ARTIFACT.matcher(Files.readString(directory.resolve("pom.xml")));
      while (artifact.find()) {
        if (!artifact.group(1).equals("millrace-parent")) {
          install(repository, directory, artifact.group(1), version);
          break;
        }
      }
    }
  }

  private static void link(Path from, Path to, String except) throws IOException {
    try (Stream<Path> children = Files.list(from)) {
      for (Path child : children.toList()) {
        if (!child.getFileName().toString().equals(except)) {
          Files.createSymbolicLink(to.resolve(child.getFileName()), child);
        }
      }
    }
  }

  private static void install(Path repository, Path module, String artifact, String version)
      throws IOException {
    Path directory = repository.resolve(Path.of("dev", "millrace", artifact, version));
    Files.createDirectories(directory);
    Files.copy(
        module.resolve("pom.xml"),
        directory.resolve(artifact + "-" + version + ".pom"),
        StandardCopyOption.REPLACE_EXISTING);
    Path classes = module.resolve("target/classes");
    if (Files.isDirectory(classes)) {
      jar(classes, directory.resolve(artifact + "-" + version + ".jar"));
    }
  }

  private static void jar(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file);
        Stream<Path> files = Files.walk(classes)) {
      List<Path> all = files.filter(Files::isRegularFile).sorted().toList();
      for (Path each : all) {
        zip.putNextEntry(new ZipEntry(classes.relativize(each).toString().replace('\\', '/')));
        Files.copy(each, zip);
        zip.closeEntry();
      }
    }
  }
}
