package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs in the test's JVM and not as a plugin of Maven, because the formatter reads with the
/// compiler of the JDK it runs on and Maven itself may run on an older one.
class FormatTest {

  @Test
  void everyJavaFileIsFormatted() {
    Reactor reactor = Reactor.find();
    List<Path> files = SourceTree.javaFiles(reactor.root());
    assertTrue(files.size() > 10, () -> files.toString());

    String differing = differing(files);

    assertEquals("", differing, "these files are not formatted; to format them: .ci/format");
  }

  @Test
  void aFileThatIsNotFormattedIsNamed(@TempDir Path directory) throws IOException {
    Path good = directory.resolve("Good.java");
    Files.writeString(good, "/// Good.\nclass Good {}\n");
    Path bad = directory.resolve("Bad.java");
    Files.writeString(bad, "/// Bad.\nclass Bad { }\n");

    assertEquals(bad + "\n", differing(List.of(good, bad)));
  }

  @Test
  void markdownCommentsAndUnnamedPatternsAreKept(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("Kept.java");
    Files.writeString(
        file,
        """
        /// A list:
        ///
        /// - one
        /// - two
        ///
        /// Some code:
        ///
        ///     code(of,  a   block);
        ///
        /// | table | of |
        /// |-------|----|
        /// | two   | b  |
        record Kept(int x, int y) {
          static int x(Object o) {
            return o instanceof Kept(int x, _) ? x : 0;
          }
        }
        """);

    assertEquals("", differing(List.of(file)));
  }

  /// The files that the formatter would change, a line each; or what it has to say.
  private static String differing(List<Path> files) {
    List<String> arguments = new ArrayList<>(List.of("--dry-run"));
    files.forEach(file -> arguments.add(file.toString()));
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    int status =
        ToolProvider.findFirst("google-java-format")
            .orElseThrow()
            .run(writer, writer, arguments.toArray(String[]::new));
    writer.flush();
    return status == 0 ? out.toString() : "status " + status + "\n" + out;
  }
}
