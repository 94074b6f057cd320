package dev.millrace.internal.state.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HomeDirectoryTest {
  @TempDir private Path directory;

  private static DiskException assertInUse(Runnable attempt) {
    DiskException refusal = assertThrows(DiskException.class, attempt::run);
    assertEquals(DiskException.Kind.IN_USE, refusal.kind(), refusal.getMessage());
    return refusal;
  }

  @Test
  void eachTaskAndEachContainerHasALockOfItsOwn() {
    try (HomeDirectory one = HomeDirectory.share(directory);
        HomeDirectory two = HomeDirectory.share(directory);
        LockFile _ = one.holdTask("1-3", Duration.ZERO);
        LockFile _ = one.holdContainer(0);
        LockFile _ = one.holdTask("home", Duration.ZERO);
        LockFile _ = one.holdTask("container-1", Duration.ZERO);
        LockFile _ = two.holdTask("1-31", Duration.ZERO);
        LockFile _ = two.holdContainer(1);
        LockFile _ = two.holdFiles()) {
      DiskException refusal = assertInUse(() -> two.holdTask("1-3", Duration.ZERO));
      assertTrue(refusal.getMessage().contains("tasks/1-3 is held"), refusal.getMessage());
      refusal = assertInUse(() -> two.holdContainer(0));
      assertTrue(refusal.getMessage().contains("container 0 in " + directory), refusal::toString);
      assertInUse(() -> StateDirectory.hold(directory));
      assertThrows(IllegalArgumentException.class, () -> one.holdTask("../x", Duration.ZERO));
    }
    StateDirectory.hold(directory).close();
  }

  @Test
  void itIsNotSharedWithWhoeverHoldsItAlone() {
    try (StateDirectory _ = StateDirectory.hold(directory)) {
      assertInUse(() -> HomeDirectory.share(directory));
    }
    HomeDirectory.share(directory).close();
  }

  @Test
  void theTasksThatHaveADirectoryAreListed() throws IOException {
    try (HomeDirectory home = HomeDirectory.share(directory)) {
      assertEquals(List.of(), List.copyOf(home.stored()));
      for (String name : List.of("1-10", "0-0", ".stage-2-2", ".new-3-3", ".image-0-0.a.1")) {
        Files.createDirectory(home.tasks().resolve(name));
      }
      Files.writeString(home.tasks().resolve("4-4"), "a file");
      assertEquals(List.of("0-0", "1-10"), List.copyOf(home.stored()));
    }
  }
}
