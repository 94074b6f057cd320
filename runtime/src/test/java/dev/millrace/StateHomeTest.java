package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
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

  private StateHome home() {
    return home("app");
  }

  private StateHome home(String application) {
    return new StateHome(state, application, 1 << 20);
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
  void processesShareTheHomeAndEachHasItsTasksAndThePlaceThatIsFree() {
    try (StateHome zero = home();
        StateHome one = home();
        StateHome again = home()) {
      assertEquals(zero.name(), one.name());
      String id = zero.name().replace("-", "").substring(0, 12);
      Disks ofZero = zero.hold();
      Disks ofOne = one.hold();
      assertSame(ofZero, zero.hold());
      assertEquals(List.of(id + "-0", id + "-1"), List.of(zero.member(), one.member()));
      try (Disk disk = ofZero.open("0-0")) {
        ingest(ofOne, "0-1");
        assertEquals(List.of("0-0", "0-1"), List.copyOf(ofZero.stored()));
        assertTrue(zero.bytes() > 0);
        assertEquals(0, one.bytes());
        assertNull(disk.position());
      }
      zero.close();
      again.hold().open("0-0").close();
      assertEquals(id + "-0", again.member());
    }
  }

  @Test
  void theIdOfAHomeIsMadeOnceWhoeverComesFirst() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 20; round++) {
        String application = "app-" + round;
        List<Future<String>> names = new ArrayList<>();
        for (int process = 0; process < 4; process++) {
          names.add(pool.submit(() -> home(application).name()));
        }
        TreeSet<String> seen = new TreeSet<>();
        for (Future<String> name : names) {
          seen.add(UUID.fromString(name.get()).toString());
        }
        seen.add(home(application).name());
        assertEquals(1, seen.size(), seen::toString);
      }
    }
    assertNotEquals(home("app-0").name(), home("app-1").name());
  }

  @Test
  void theNameOfAFormerDirectoryStays() throws IOException {
    Path app = Files.createDirectories(state.resolve("app"));
    Files.writeString(app.resolve("container-0.id"), "the-name-of-0\n");
    try (StateHome home = home()) {
      assertEquals("the-name-of-0", home.name());
      home.hold();
    }
    assertFalse(Files.exists(app.resolve("container-0.id")));
    assertEquals("the-name-of-0", home().name());
  }

  /// A state of the former layout is one of a home under another name.
  @Test
  void stateOfTheFormerLayoutIsFoundByTheFirstStart() throws IOException {
    try (StateHome home = home()) {
      ingest(home.hold(), "0-0");
      ingest(home.hold(), "0-1");
    }
    Path app = state.resolve("app");
    Path former = Files.createDirectory(app.resolve("container-0"));
    Files.move(app.resolve("tasks"), former.resolve("tasks"));
    try (StateDirectory _ = StateDirectory.hold(former);
        StateHome home = home()) {
      assertEquals(List.of(), List.copyOf(home.hold().stored()));
    }
    try (StateHome home = home()) {
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
    try (StateHome home = home()) {
      ingest(home.hold(), "0-0");
    }
    assertTrue(Files.exists(elsewhere.resolve("tasks/0-0")));
  }
}
