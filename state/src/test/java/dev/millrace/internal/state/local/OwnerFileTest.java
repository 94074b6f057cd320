package dev.millrace.internal.state.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerFileTest {
  private static final OwnerFile.Owner OWNER =
      new OwnerFile.Owner("word-count", "cluster_1-A", "word-count-changelog", "-Id_9");
  private static final OwnerFile.Owner FORMER =
      new OwnerFile.Owner("word-count", 2, "cluster_1-A", "word-count-changelog", "-Id_9");

  private static final String GOLDEN =
      """
      millrace state
      format version: 2
      application: word-count
      cluster: cluster_1-A
      changelog: word-count-changelog
      changelog id: -Id_9
      crc32c: 3f328b37
      """;

  /// As the first version wrote it.
  private static final String FORMER_GOLDEN =
      """
      millrace state
      format version: 1
      application: word-count
      container: 2
      cluster: cluster_1-A
      changelog: word-count-changelog
      changelog id: -Id_9
      crc32c: c5f65c02
      """;

  @TempDir private Path directory;

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertNull(OwnerFile.read(directory));
    OwnerFile.write(directory, OWNER);
    OwnerFile.write(directory, OWNER);
    assertEquals(OWNER, OwnerFile.read(directory));
    OwnerFile.write(directory, FORMER);
    assertEquals(FORMER, OwnerFile.read(directory));
    assertEquals(OWNER, FORMER.ofHome());
    OwnerFile.Owner other = new OwnerFile.Owner("a", "c", "a-changelog", "id");
    OwnerFile.write(directory, other);
    assertEquals(other, OwnerFile.read(directory));
    assertEquals(List.of("OWNER"), List.of(directory.toFile().list()));
  }

  @Test
  void theFormatsStayAsTheyAre() throws IOException {
    OwnerFile.write(directory, OWNER);
    assertEquals(GOLDEN, Files.readString(directory.resolve("OWNER")));
    Files.writeString(directory.resolve("OWNER"), FORMER_GOLDEN);
    assertEquals(FORMER, OwnerFile.read(directory));
  }

  @Test
  void everyFlippedBitIsNoticed() throws IOException {
    OwnerFile.write(directory, OWNER);
    byte[] bytes = Files.readAllBytes(directory.resolve("OWNER"));
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(directory.resolve("OWNER"), flipped);
      assertNull(OwnerFile.read(directory), "bit " + bit);
    }
  }

  @Test
  void aLinkIsNotRead() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Path here = Files.createDirectory(directory.resolve("here"));
    OwnerFile.write(elsewhere, OWNER);
    Files.createSymbolicLink(here.resolve("OWNER"), elsewhere.resolve("OWNER"));
    assertNull(OwnerFile.read(here));
  }
}
