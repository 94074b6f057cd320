package dev.millrace;

import dev.millrace.internal.state.local.HomeDirectory;
import dev.millrace.internal.state.local.LockFile;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.internal.state.local.StateDirectory;
import dev.millrace.internal.state.local.TaskName;
import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves state of the former layout into a home: each container had a directory `container-N` with
/// its tasks, its lock and its owner, and a name in `container-N.id`.
///
/// Everything is moved by renaming, one task after the other, so a start that is killed meanwhile
/// is continued by the next one. Where a task lies in both layouts, that of the home is the newer
/// one, and the other is deleted.
final class FormerLayout {
  private static final Logger LOG = LoggerFactory.getLogger(FormerLayout.class);
  private static final Pattern DIRECTORY = Pattern.compile("container-[0-9]{1,9}");
  private static final Pattern ID = Pattern.compile(DIRECTORY + "\\.id");

  /// What was being removed when a process was killed.
  private static final Pattern BEING_DELETED =
      Pattern.compile("\\.deleted-(%s|%s)".formatted(DIRECTORY, HomeDirectory.TASKS));

  private static final Pattern ANY =
      Pattern.compile("%s|%s|%s".formatted(DIRECTORY, ID, BEING_DELETED));

  /// A stage lies beside its task, under this and the task's name.
  private static final String STAGE = ".stage-";

  private final HomeDirectory home;

  FormerLayout(HomeDirectory home) {
    this.home = home;
  }

  /// Returns the file with the name of a container's directory.
  static Path idOf(Path home, int container) {
    return home.resolve("container-" + container + ".id");
  }

  /// Moves what no process of an earlier version uses; the rest stays until a later start.
  void takeOver() {
    if (children(home.path(), ANY).isEmpty()) {
      return;
    }
    try (LockFile _ = home.holdFiles()) {
      children(home.path(), BEING_DELETED).forEach(PrivateFiles::deleteTree);
      for (Path directory : directories(home.path(), DIRECTORY)) {
        try {
          takeOver(directory);
        } catch (DiskException e) {
          if (e.kind() != DiskException.Kind.IN_USE) {
            throw e;
          }
          LOG.info("{} stays where it is for now: {}", directory, e.getMessage());
        }
      }
      for (Path id : children(home.path(), ID)) {
        deleteUnlessUsed(id);
      }
    }
  }

  private void takeOver(Path directory) {
    Path gone = directory.resolveSibling(".deleted-" + name(directory));
    try (StateDirectory _ = StateDirectory.hold(directory)) {
      Path tasks = directory.resolve(HomeDirectory.TASKS);
      int moved = 0;
      for (Path each : directories(tasks, Pattern.compile(".+"))) {
        String name = name(each);
        String task = name.startsWith(STAGE) ? name.substring(STAGE.length()) : name;
        if (TaskName.isName(task) && move(each, task)) {
          moved++;
        }
      }
      adoptOwner(directory);
      LOG.info(
          "{} has the former layout: {} directories of tasks were moved to {}.",
          directory,
          moved,
          home.tasks());
      PrivateFiles.deleteTree(gone);
      rename(directory, gone);
      PrivateFiles.syncNames(home.path());
    }
    PrivateFiles.deleteTree(gone);
  }

  /// @return false if the home has the task already
  private boolean move(Path from, String task) {
    Path to = home.tasks().resolve(name(from));
    if (!Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
      try (LockFile _ = home.holdTask(task, Duration.ZERO)) {
        if (!Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
          rename(from, to);
          PrivateFiles.syncNames(home.tasks());
          return true;
        }
      }
    }
    LOG.warn("{} is deleted, because {} is newer.", from, to);
    PrivateFiles.deleteTree(from);
    return false;
  }

  private void adoptOwner(Path directory) {
    OwnerFile.Owner owner = OwnerFile.read(directory);
    if (owner != null && OwnerFile.read(home.path()) == null) {
      OwnerFile.write(home.path(), owner.ofHome());
    }
  }

  private static void deleteUnlessUsed(Path id) {
    String directory = name(id).substring(0, name(id).lastIndexOf('.'));
    if (!Files.exists(id.resolveSibling(directory), LinkOption.NOFOLLOW_LINKS)) {
      PrivateFiles.deleteTree(id);
    }
  }

  private static void rename(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be renamed to " + to, from, e);
    }
  }

  private static List<Path> directories(Path parent, Pattern names) {
    return children(parent, names).stream()
        .filter(each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  private static List<Path> children(Path parent, Pattern names) {
    if (!Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(parent)) {
      return found.filter(each -> names.matcher(name(each)).matches()).sorted().toList();
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be listed", parent, e);
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
