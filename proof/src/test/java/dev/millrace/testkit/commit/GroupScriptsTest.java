package dev.millrace.testkit.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a commit group does is what the scripts say. With `-Dmillrace.write-scripts=true` they are
/// written anew: read the difference before you commit it.
class GroupScriptsTest {
  private static final Path SCRIPTS =
      Path.of("src", "test", "resources", "dev", "millrace", "testkit", "commit");

  static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aGroupDoesWhatTheScriptSays(String name) throws IOException {
    Path file = SCRIPTS.resolve(name);
    String script = Files.readString(file);
    String played = GroupScript.played(script);
    if (Boolean.getBoolean("millrace.write-scripts")) {
      Files.writeString(file, played);
      return;
    }
    assertEquals(script, played);
  }

  @Test
  void anAnswerThatIsNotTheGroupsIsSeen() throws IOException {
    assertTrue(names().size() >= 3, "Scripts are missing.");
    String script = Files.readString(SCRIPTS.resolve("a-commit.txt"));
    String wrong = script.replace("COLLECTING", "PROCESSING");
    assertEquals(script, GroupScript.played(wrong));
  }
}
