package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.internal.state.local.StateDirectory;
import dev.millrace.spi.Disk;
import dev.millrace.spi.Disks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the processes of an application share on a host, and what each has alone.
class StateHomeTest {
  private static final Bytes KEY = Bytes.ofUtf8("key");

  @TempDir private Path state;

  private StateHome home(int container) {
    return new StateHome(state, "app", container, 1 << 20);
  }

  private static void ingest(Disks disks, String task) {
    try (Disk disk = disks.open(task)) {
      disk.ingest(new OneEntry(task), new byte[] {1});
    }
  }

  /// A run of one entry.
  private static final class OneEntry implements Disk.SortedRun {
    private final Bytes value;
    private boolean read;

    OneEntry(String value) {
      this.value = Bytes.ofUtf8(value);
    }

    @Override
    public boolean next() {
      boolean first = !read;
      read = true;
      return first;
    }

    @Override
    public Bytes key() {
      return KEY;
    }

    @Override
    public Bytes value() {
      return value;
    }
  }

  @Test
  void twoContainersShareTheHomeAndEachHasItsTasks() {
    try (StateHome zero = home(0);
        StateHome one = home(1);
        StateHome again = home(0)) {
      assertEquals(zero.name(), one.name());
      assertTrue(zero.tryHold());
      assertTrue(one.tryHold());
      assertFalse(again.tryHold());
      for (String part :
          List.of(
              "container 0 in " + state.resolve("app"),
              "pid " + ProcessHandle.current().pid(),
              "another state directory")) {
        assertTrue(again.inUse().contains(part), again.inUse());
      }
      try (Disk disk = zero.hold().open("0-0")) {
        ingest(one.hold(), "0-1");
        assertEquals(List.of("0-0", "0-1"), List.copyOf(zero.hold().stored()));
        assertTrue(zero.bytes() > 0);
        assertEquals(0, one.bytes());
        assertNull(disk.position());
      }
      zero.close();
      assertTrue(again.tryHold());
      again.hold().open("0-0").close();
    }
  }

  @Test
  void theIdOfAHomeIsMadeOnceWhoeverComesFirst() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 20; round++) {
        String application = "app-" + round;
        List<Future<String>> names = new ArrayList<>();
        for (int container = 0; container < 4; container++) {
          int number = container;
          names.add(pool.submit(() -> new StateHome(state, application, number, 1 << 20).name()));
        }
        TreeSet<String> seen = new TreeSet<>();
        for (Future<String> name : names) {
          seen.add(UUID.fromString(name.get()).toString());
        }
        seen.add(new StateHome(state, application, 7, 1 << 20).name());
        assertEquals(1, seen.size(), seen::toString);
      }
    }
    assertNotEquals(
        new StateHome(state, "app-0", 0, 1 << 20).name(),
        new StateHome(state, "app-1", 0, 1 << 20).name());
  }

  @Test
  void theNameOfAFormerDirectoryStays() throws IOException {
    Path app = Files.createDirectories(state.resolve("app"));
    Files.writeString(app.resolve("container-1.id"), "the-name-of-1\n");
    try (StateHome home = home(1)) {
      assertEquals("the-name-of-1", home.name());
      assertTrue(home.tryHold());
    }
    assertFalse(Files.exists(app.resolve("container-1.id")));
    assertEquals("the-name-of-1", home(0).name());
  }

  /// A state of the former layout is one of a home under another name.
  @Test
  void stateOfTheFormerLayoutIsFoundByTheFirstStart() throws IOException {
    try (StateHome home = home(0)) {
      ingest(home.hold(), "0-0");
      ingest(home.hold(), "0-1");
    }
    Path app = state.resolve("app");
    Path former = Files.createDirectory(app.resolve("container-0"));
    Files.move(app.resolve("tasks"), former.resolve("tasks"));
    try (StateDirectory _ = StateDirectory.hold(former);
        StateHome home = home(0)) {
      assertFalse(home.tryHold());
      assertTrue(home.inUse().contains("container-0 is held by pid"), home.inUse());
    }
    try (StateHome home = home(0)) {
      Disks disks = home.hold();
      assertEquals(List.of("0-0", "0-1"), List.copyOf(disks.stored()));
      for (String task : disks.stored()) {
        try (Disk disk = disks.open(task)) {
          assertEquals(task, new String(disk.get(KEY), StandardCharsets.UTF_8));
        }
      }
      OwnerFile.Owner owner = new OwnerFile.Owner("app", "cluster", "app-changelog", "an-id");
      home.belongsTo(owner);
      assertEquals(owner, OwnerFile.read(app));
    }
    assertFalse(Files.exists(former));
  }

  /// A person may keep an application's state on another disk.
  @Test
  void aLinkMayLeadToTheHome() throws IOException {
    Path elsewhere = Files.createDirectory(state.resolve("elsewhere"));
    Files.createSymbolicLink(state.resolve("app"), elsewhere);
    try (StateHome home = home(0)) {
      ingest(home.hold(), "0-0");
    }
    assertTrue(Files.exists(elsewhere.resolve("tasks/0-0")));
  }
}
