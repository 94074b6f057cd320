package dev.millrace.examples.trending;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The application that the README shows is the one that is built and tested here.
class ReadmeTest {
  @Test
  void theApplicationOfTheReadmeIsTheExample() throws IOException {
    String readme = Files.readString(Path.of("../README.md"));
    int start = readme.indexOf("```java\n") + "```java\n".length();
    String shown = readme.substring(start, readme.indexOf("```", start));
    String file =
        Files.readString(Path.of("src/main/java/dev/millrace/examples/trending/TrendingTags.java"));
    assertEquals(tokens(file), tokens(shown));
  }

  /// The code without package, imports, comments, blanks and the access that a file of its own
  /// needs for its nested types.
  private static String tokens(String code) {
    List<String> lines =
        code.lines()
            .map(String::strip)
            .filter(line -> !line.startsWith("///"))
            .filter(line -> !line.startsWith("package ") && !line.startsWith("import "))
            .map(line -> line.replaceFirst("^public (enum|record) ", "$1 "))
            .toList();
    return lines.stream().collect(Collectors.joining()).replaceAll("\\s", "");
  }
}
