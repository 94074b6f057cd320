package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.internal.state.local.HomeDirectory;
import dev.millrace.internal.state.local.LockFile;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.internal.state.local.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// State in directories as earlier versions made them, by hand.
class FormerLayoutTest {
  private static final OwnerFile.Owner OWNER =
      new OwnerFile.Owner("app", 0, "cluster", "app-changelog", "an-id");

  @TempDir private Path directory;
  private Path app;

  @BeforeEach
  void name() {
    app = directory.resolve("app");
  }

  private void write(String file, String content) throws IOException {
    Path path = app.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }

  /// Two containers, as processes leave them that were killed.
  private void writeFormer() throws IOException {
    write("container-0.id", "id-of-0\n");
    write("container-1.id", "id-of-1\n");
    for (int container = 0; container < 2; container++) {
      String former = "container-" + container + "/";
      write(former + "LOCK", "pid 1 on host gone");
      write(former + "native/librocksdbjni.so", "a library");
      for (int task = 0; task < 3; task++) {
        String name = container + "-" + task;
        write(former + "tasks/" + name + "/FORMAT", "format of " + name);
        write(former + "tasks/" + name + "/db/CURRENT", "database of " + name);
      }
      write(former + "tasks/.stage-" + container + "-7/db/000009.sst", "gathered");
      write(former + "tasks/.image-" + container + "-0.4/CURRENT", "an image");
      write(former + "tasks/.new-" + container + "-8/db/CURRENT", "half built");
      OwnerFile.write(app.resolve("container-" + container), OWNER);
    }
  }

  private static SortedMap<String, String> moved() {
    SortedMap<String, String> expected = new TreeMap<>();
    for (int container = 0; container < 2; container++) {
      for (int task = 0; task < 3; task++) {
        String name = container + "-" + task;
        expected.put("tasks/" + name + "/FORMAT", "format of " + name);
        expected.put("tasks/" + name + "/db/CURRENT", "database of " + name);
      }
      expected.put("tasks/.stage-" + container + "-7/db/000009.sst", "gathered");
    }
    return expected;
  }

  private void takeOver() {
    try (HomeDirectory home = HomeDirectory.share(app)) {
      new FormerLayout(home).takeOver();
    }
  }

  /// The files of the home but its locks, with their content.
  private SortedMap<String, String> files() throws IOException {
    SortedMap<String, String> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(app)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = app.relativize(file).toString();
        if (!name.equals("LOCK") && !name.startsWith("locks/")) {
          found.put(name, Files.readString(file));
        }
      }
    }
    return found;
  }

  private void assertTakenOver() throws IOException {
    SortedMap<String, String> found = files();
    found.remove("OWNER");
    assertEquals(moved(), found);
    assertEquals(OWNER.ofHome(), OwnerFile.read(app));
  }

  @Test
  void everythingIsMovedByTheFirstStartAndNothingByTheNext() throws IOException {
    writeFormer();
    takeOver();
    assertTakenOver();
    takeOver();
    assertTakenOver();
  }

  /// Whatever a start had moved or removed when it was killed, the next one goes on. Each state in
  /// between is made by hand: some tasks are moved already, or the whole directory is renamed to be
  /// deleted and half gone.
  @Test
  void aStartThatWasKilledIsContinued() throws IOException {
    for (long seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      writeFormer();
      Files.createDirectories(app.resolve("tasks"));
      for (int container = 0; container < 2; container++) {
        Path former = app.resolve("container-" + container);
        boolean all = random.nextBoolean();
        for (String name :
            List.of(
                container + "-0",
                container + "-1",
                container + "-2",
                ".stage-" + container + "-7")) {
          if (all || random.nextBoolean()) {
            Files.move(
                former.resolve("tasks").resolve(name),
                app.resolve("tasks").resolve(name),
                StandardCopyOption.ATOMIC_MOVE);
          }
        }
        if (all || random.nextBoolean()) {
          OwnerFile.write(app, OWNER.ofHome());
        }
        if (all && random.nextBoolean()) {
          OwnerFile.write(app, OWNER.ofHome());
          Path gone = app.resolve(".deleted-container-" + container);
          Files.move(former, gone);
          if (random.nextBoolean()) {
            Files.delete(gone.resolve("LOCK"));
          }
          if (random.nextBoolean()) {
            delete(gone);
          }
        }
      }
      takeOver();
      assertTakenOver();
      delete(app);
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void aTaskThatTheHomeHasAlreadyIsTheNewerOne() throws IOException {
    writeFormer();
    write("tasks/1-1/FORMAT", "newer");
    try (HomeDirectory home = HomeDirectory.share(app);
        LockFile _ = home.holdTask("1-1", Duration.ZERO)) {
      takeOver();
    }
    SortedMap<String, String> expected = moved();
    expected.put("tasks/1-1/FORMAT", "newer");
    expected.remove("tasks/1-1/db/CURRENT");
    SortedMap<String, String> found = files();
    found.remove("OWNER");
    assertEquals(expected, found);
  }

  /// As where one container after the other is restarted with this version.
  @Test
  void whatAProcessOfAnEarlierVersionHasStaysUntilALaterStart() throws IOException {
    writeFormer();
    SortedMap<String, String> before = files();
    try (StateDirectory _ = StateDirectory.hold(app.resolve("container-1"))) {
      takeOver();
      SortedMap<String, String> found = files();
      before.forEach((file, content) -> {
        if (file.startsWith("container-1") && !file.endsWith("LOCK")) {
          assertEquals(content, found.get(file), file);
        }
      });
      assertFalse(Files.exists(app.resolve("container-0")));
      assertFalse(Files.exists(app.resolve("container-0.id")));
    }
    takeOver();
    assertTakenOver();
  }

  @Test
  void whatIsNotOfTheFormerLayoutStays() throws IOException {
    for (String other : List.of("container-x/a", "container-/a", "my-container-0/a", "notes.id")) {
      write(other, "kept");
    }
    SortedMap<String, String> before = files();
    takeOver();
    assertEquals(before, files());
    assertNull(OwnerFile.read(app));
  }
}
