package dev.millrace.internal.state.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
  @TempDir private Path temporary;

  @Test
  void aDirectoryIsCreatedPrivateWithItsParents() throws IOException {
    Path wanted = temporary.resolve("a/b/app-0");
    try (StateDirectory held = StateDirectory.hold(wanted)) {
      assertEquals(wanted, held.path());
      assertEquals(
          "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(wanted)));
    }
  }

  @Test
  void aDirectoryIsHeldOnceInAProcessByWhateverName() throws IOException {
    Path wanted = temporary.resolve("app-0");
    Path alias = Files.createSymbolicLink(temporary.resolve("alias"), temporary);
    try (StateDirectory held = StateDirectory.hold(wanted)) {
      for (Path name : List.of(wanted, temporary.resolve("x/../app-0"), alias.resolve("app-0"))) {
        DiskException refusal =
            assertThrows(DiskException.class, () -> StateDirectory.hold(name), name.toString());
        assertEquals(DiskException.Kind.IN_USE, refusal.kind());
      }
      assertTrue(Files.exists(held.path().resolve("LOCK")));
    }
    StateDirectory.hold(wanted).close();
  }

  @Test
  void aRefusedHolderDoesNotLoseTheLockOfTheOther() throws IOException, InterruptedException {
    Path wanted = temporary.resolve("app-0");
    try (StateDirectory held = StateDirectory.hold(wanted)) {
      assertThrows(DiskException.class, () -> StateDirectory.hold(wanted));
      assertEquals("refused", tryToHoldInAnotherProcess(held.path()));
    }
    assertEquals("held", tryToHoldInAnotherProcess(wanted));
  }

  @Test
  void aLockFileThatIsALinkIsNotFollowed() throws IOException {
    Path wanted = Files.createDirectory(temporary.resolve("app-0"));
    Path precious = Files.writeString(temporary.resolve("precious"), "kept");
    Files.createSymbolicLink(wanted.resolve("LOCK"), precious);
    DiskException refusal = assertThrows(DiskException.class, () -> StateDirectory.hold(wanted));
    assertEquals(DiskException.Kind.IO, refusal.kind());
    assertEquals("kept", Files.readString(precious));
    Files.delete(wanted.resolve("LOCK"));
    StateDirectory.hold(wanted).close();
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "kept");
    DiskException refusal = assertThrows(DiskException.class, () -> StateDirectory.hold(file));
    assertEquals(DiskException.Kind.IO, refusal.kind());
    assertTrue(refusal.getMessage().contains(file.toString()), refusal.getMessage());
  }

  @Test
  void closingTwiceGivesBackOnce() {
    Path wanted = temporary.resolve("app-0");
    StateDirectory first = StateDirectory.hold(wanted);
    first.close();
    try (StateDirectory second = StateDirectory.hold(wanted)) {
      first.close();
      assertThrows(DiskException.class, () -> StateDirectory.hold(second.path()));
    }
  }

  @Test
  void deletingATreeDeletesLinksAndNotTheirTargets() throws IOException {
    Path tree = Files.createDirectories(temporary.resolve("tree/below"));
    Path precious = Files.createDirectory(temporary.resolve("precious"));
    Files.writeString(precious.resolve("file"), "kept");
    Files.createSymbolicLink(tree.resolve("link"), precious);
    PrivateFiles.deleteTree(tree.getParent());
    PrivateFiles.deleteTree(tree.getParent());
    assertFalse(Files.exists(tree.getParent()));
    assertEquals("kept", Files.readString(precious.resolve("file")));
  }

  @Test
  void aLackOfSpaceIsToldFromOtherFailures() {
    Path path = Path.of("state");
    for (String reason : List.of("No space left on device", "Disk quota exceeded")) {
      assertEquals(
          DiskException.Kind.FULL,
          PrivateFiles.failure("failed", path, new IOException(reason)).kind());
      assertEquals(
          DiskException.Kind.FULL,
          PrivateFiles.failure("failed", path, new FileSystemException("f", null, reason)).kind());
    }
    assertEquals(
        DiskException.Kind.IO,
        PrivateFiles.failure("failed", path, new IOException((String) null)).kind());
  }

  private static String tryToHoldInAnotherProcess(Path directory)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                OtherProcess.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    return said;
  }

  /// Tries to lock a state directory's file as the operating system sees it.
  static final class OtherProcess {
    private OtherProcess() {}

    public static void main(String[] arguments) throws IOException {
      try (FileChannel channel =
          FileChannel.open(Path.of(arguments[0], "LOCK"), StandardOpenOption.WRITE)) {
        System.out.print(channel.tryLock() == null ? "refused" : "held");
      }
    }
  }
}
