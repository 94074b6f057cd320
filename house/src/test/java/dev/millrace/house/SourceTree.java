package dev.millrace.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The files of the source tree.
final class SourceTree {
  private static final Set<String> NOT_SOURCE = Set.of(".git", ".idea", ".vscode", "target");

  private SourceTree() {}

  /// The files that git tracks or would add; without git all but those of known build directories.
  /// Paths are absolute and sorted.
  static List<Path> files(Path root) {
    if (Files.exists(root.resolve(".git"))) {
      Ran git = Ran.in(root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard");
      if (git.status() != 0 || git.out().isEmpty()) {
        throw new IllegalStateException("git cannot list the files: " + git);
      }
      return Stream.of(git.out().split("\0"))
          .distinct()
          .sorted()
          .map(root::resolve)
          .filter(Files::isRegularFile)
          .toList();
    }
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> inSource(root.relativize(file)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Path> javaFiles(Path root) {
    return files(root).stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  /// The content as text. A file with a zero byte is binary and counts as empty.
  static String text(Path file) {
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return text.indexOf('\0') < 0 ? text : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean inSource(Path relative) {
    for (Path part : relative) {
      if (NOT_SOURCE.contains(part.toString())) {
        return false;
      }
    }
    return true;
  }
}
