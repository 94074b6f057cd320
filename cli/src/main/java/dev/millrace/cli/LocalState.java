package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.state.local.HomeDirectory;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.internal.state.local.StateDirectory;
import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The local state of an application: its home `STATE/APPLICATION`; or, in the former layout, that
/// of one container, `STATE/APPLICATION/container-N`.
///
/// @param owner null if it is not proven whose it is, for the reason in `doubt`
/// @param usedMillis when something in it was written last, in milliseconds since 1970
record LocalState(
    Path path,
    String application,
    boolean former,
    OwnerFile.@Nullable Owner owner,
    String doubt,
    long sizeBytes,
    long usedMillis) {
  private static final Pattern CONTAINER = Pattern.compile("container-[0-9]{1,9}");
  private static final Set<String> FORMER_PARTS =
      Set.of(
          HomeDirectory.TASKS,
          HomeDirectory.NATIVE,
          OwnerFile.NAME + ".new",
          OwnerFile.NAME,
          StateDirectory.LOCK);

  /// What a home has, in the order in which it is removed: what shows whose it is comes late, the
  /// lock last.
  private static final List<String> PARTS =
      List.of(
          HomeDirectory.TASKS,
          HomeDirectory.NATIVE,
          HomeDirectory.LOCKS,
          HomeDirectory.ID + ".new",
          HomeDirectory.ID,
          OwnerFile.NAME + ".new",
          OwnerFile.NAME,
          StateDirectory.LOCK);

  private static final String BEING_DELETED = ".deleted-";

  /// What beside a home's parts is Millrace's too: former containers, and what is being deleted.
  private static final Pattern BESIDE =
      Pattern.compile(
          "%1$s|%1$s\\.id|id[0-9]+\\.new|\\.deleted-(%1$s|%2$s)"
              .formatted(CONTAINER, HomeDirectory.TASKS));

  /// Returns all directories under a state directory that look like a home or a former container's,
  /// in order; the latter before the home they lie in.
  static List<LocalState> under(Path state) {
    List<LocalState> found = new ArrayList<>();
    for (Path application : directories(state)) {
      for (Path container : directories(application)) {
        if (CONTAINER.matcher(name(container)).matches()) {
          found.add(look(container, name(application), true));
        }
      }
      if (isHome(application)) {
        found.add(look(application, name(application), false));
      }
    }
    return found;
  }

  private static boolean isHome(Path application) {
    return Files.exists(application.resolve(HomeDirectory.ID), LinkOption.NOFOLLOW_LINKS)
        || Files.exists(application.resolve(OwnerFile.NAME), LinkOption.NOFOLLOW_LINKS);
  }

  private static LocalState look(Path path, String application, boolean former) {
    OwnerFile.Owner owner = OwnerFile.read(path);
    String doubt = doubt(path, application, former, owner);
    long[] sums = {0, 0};
    try {
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(
                Path directory, BasicFileAttributes attributes) {
              boolean listed = path.equals(directory.getParent()) && isContainer(directory);
              return listed ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              sums[0] += attributes.size();
              sums[1] = Math.max(sums[1], attributes.lastModifiedTime().toMillis());
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // it was removed meanwhile
            }
          });
    } catch (IOException e) {
      throw failed(path, e);
    }
    return new LocalState(
        path, application, former, doubt.isEmpty() ? owner : null, doubt, sums[0], sums[1]);
  }

  private static boolean isContainer(Path directory) {
    return CONTAINER.matcher(name(directory)).matches();
  }

  private static String doubt(
      Path path, String application, boolean former, OwnerFile.@Nullable Owner owner) {
    if (owner == null) {
      return "it has no file that names its owner";
    }
    Integer container = owner.container();
    String place = container == null ? "" : "container-" + container;
    if (!owner.application().equals(application) || !place.equals(former ? name(path) : "")) {
      return "it belongs to %s'%s' and is in the wrong place"
          .formatted(
              container == null ? "" : "container %d of ".formatted(container),
              owner.application());
    }
    try (Stream<Path> parts = Files.list(path)) {
      List<String> foreign =
          parts
              .map(LocalState::name)
              .filter(part -> !(former ? FORMER_PARTS.contains(part) : isOfHome(part)))
              .sorted()
              .toList();
      return foreign.isEmpty()
          ? ""
          : "it contains a file that is not Millrace's: " + foreign.getFirst();
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static boolean isOfHome(String part) {
    return PARTS.contains(part) || BESIDE.matcher(part).matches();
  }

  /// Returns whether a process uses it.
  boolean held() {
    return StateDirectory.isHeld(path);
  }

  /// Removes the directory. Of a home, former containers stay that were not removed before.
  ///
  /// @return false if a process holds it
  boolean remove() {
    try (StateDirectory _ = StateDirectory.hold(path)) {
      if (former) {
        Path gone = path.resolveSibling(BEING_DELETED + name(path));
        PrivateFiles.deleteTree(gone);
        Files.move(path, gone, StandardCopyOption.ATOMIC_MOVE);
        PrivateFiles.deleteTree(gone);
        Files.deleteIfExists(path.resolveSibling(name(path) + ".id"));
      } else {
        removeTasks();
        PARTS.forEach(part -> PrivateFiles.deleteTree(path.resolve(part)));
      }
    } catch (DiskException e) {
      if (e.kind() == DiskException.Kind.IN_USE) {
        return false;
      }
      throw new UserException(ExitCode.FAILED, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw failed(path, e);
    }
    deleteIfEmpty(former ? path.getParent() : path);
    return true;
  }

  private void removeTasks() throws IOException {
    Path tasks = path.resolve(HomeDirectory.TASKS);
    Path gone = path.resolve(BEING_DELETED + HomeDirectory.TASKS);
    PrivateFiles.deleteTree(gone);
    if (Files.exists(tasks, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(tasks, gone, StandardCopyOption.ATOMIC_MOVE);
    }
    PrivateFiles.deleteTree(gone);
  }

  private static void deleteIfEmpty(@Nullable Path directory) {
    if (directory != null) {
      try (Stream<Path> left = Files.list(directory)) {
        if (left.findAny().isEmpty()) {
          Files.deleteIfExists(directory);
        }
      } catch (IOException e) {
        throw failed(directory, e);
      }
    }
  }

  private static List<Path> directories(Path parent) {
    if (!Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(parent)) {
      return children
          .filter(child -> Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw failed(parent, e);
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static UserException failed(Path path, IOException e) {
    return new UserException(ExitCode.FAILED, path + " cannot be read: " + e);
  }
}
