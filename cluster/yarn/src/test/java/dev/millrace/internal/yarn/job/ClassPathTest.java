package dev.millrace.internal.yarn.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {
  @TempDir private Path directory;

  @Test
  void directoriesBecomeJarsThatAreEqualWhereTheirFilesAre() throws IOException {
    Path classes = Files.createDirectories(directory.resolve("classes/com/example"));
    Path some = Files.writeString(classes.resolve("Some.class"), "bytes");
    Path first = pack("one");
    Files.setLastModifiedTime(some, FileTime.fromMillis(1_000_000_000_000L));
    Path second = pack("two");
    assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
    try (JarFile jar = new JarFile(first.toFile())) {
      assertEquals(5, jar.getEntry("com/example/Some.class").getSize());
    }
  }

  private Path pack(String work) throws IOException {
    Path into = Files.createDirectories(directory.resolve(work));
    Map<String, Path> jars = ClassPath.jars(directory.resolve("classes").toString(), into);
    assertEquals(List.of("classes-0.jar"), List.copyOf(jars.keySet()));
    return jars.values().iterator().next();
  }

  @Test
  void jarsKeepTheirOrderAndGetNamesOfTheirOwn() throws IOException {
    Path one = Files.createDirectories(directory.resolve("x"));
    Path two = Files.createDirectories(directory.resolve("y"));
    Files.writeString(one.resolve("b.jar"), "");
    Files.writeString(one.resolve("a.jar"), "");
    Files.writeString(one.resolve("note.txt"), "");
    Files.writeString(two.resolve("a.jar"), "");
    Map<String, Path> jars = ClassPath.jars(two.resolve("a.jar") + ":" + one + "/*", directory);
    assertEquals(List.of("a.jar", "2-a.jar", "b.jar"), List.copyOf(jars.keySet()));
    assertEquals(two.resolve("a.jar"), jars.get("a.jar"));
  }

  @Test
  void whatIsNotThereIsNamed() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> ClassPath.jars("no/such.jar", directory));
    assertTrue(e.getMessage().contains("no/such.jar"), e.getMessage());
  }
}
