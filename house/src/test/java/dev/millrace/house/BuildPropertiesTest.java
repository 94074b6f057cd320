package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The build can write its version and commit into a resource, for what a program says of itself.
class BuildPropertiesTest {
  private final Reactor reactor = Reactor.find();
  private final Properties properties = new Properties();

  @BeforeEach
  void read() throws IOException {
    try (InputStream in = BuildPropertiesTest.class.getResourceAsStream("build.properties")) {
      assertNotNull(in);
      properties.load(in);
    }
  }

  @Test
  void theVersionIsThatOfThePom() {
    assertEquals(reactor.version(), properties.getProperty("version"));
  }

  @Test
  void theCommitIsThatOfTheCloneAndUnknownElsewhere() {
    Path root = reactor.root();
    String commit = properties.getProperty("commit");
    if (Files.exists(root.resolve(".git"))) {
      Ran git = Ran.in(root, "git", "rev-parse", "--short=12", "HEAD");
      assertEquals(git.out().strip(), commit);
    } else {
      assertEquals("unknown", commit);
    }
  }
}
