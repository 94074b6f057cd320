package dev.millrace.cli;

import dev.millrace.ExitCode;
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

/// One container's state directory: `STATE/APPLICATION/container-N`.
///
/// @param owner null if it is not proven whose it is, for the reason in `doubt`
/// @param usedMillis when something in it was written last, in milliseconds since 1970
record LocalState(
    Path path,
    String application,
    String container,
    OwnerFile.@Nullable Owner owner,
    String doubt,
    long sizeBytes,
    long usedMillis) {
  private static final Pattern CONTAINER = Pattern.compile("container-[0-9]{1,9}");
  private static final Set<String> PARTS =
      Set.of("LOCK", OwnerFile.NAME, OwnerFile.NAME + ".new", "tasks", "native");
  private static final String BEING_DELETED = ".deleted-";

  /// Returns all directories under a state directory that look like a container's, in order.
  static List<LocalState> under(Path state) {
    List<LocalState> found = new ArrayList<>();
    for (Path application : directories(state)) {
      for (Path container : directories(application)) {
        if (CONTAINER.matcher(name(container)).matches()) {
          found.add(look(container, name(application)));
        }
      }
    }
    return found;
  }

  private static LocalState look(Path path, String application) {
    OwnerFile.Owner owner = OwnerFile.read(path);
    String doubt = doubt(path, application, owner);
    long[] sums = {0, 0};
    try {
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
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
        path, application, name(path), doubt.isEmpty() ? owner : null, doubt, sums[0], sums[1]);
  }

  private static String doubt(Path path, String application, OwnerFile.@Nullable Owner owner) {
    if (owner == null) {
      return "it has no file that names its owner";
    }
    if (!owner.application().equals(application)
        || !name(path).equals("container-" + owner.container())) {
      return "it belongs to container %d of '%s' and is in the wrong place"
          .formatted(owner.container(), owner.application());
    }
    try (Stream<Path> parts = Files.list(path)) {
      List<String> foreign =
          parts.map(LocalState::name).filter(part -> !PARTS.contains(part)).sorted().toList();
      return foreign.isEmpty()
          ? ""
          : "it contains a file that is not Millrace's: " + foreign.getFirst();
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  boolean held() {
    return StateDirectory.isHeld(path);
  }

  /// Removes the directory.
  ///
  /// @return false if a process holds it
  boolean remove() {
    try (StateDirectory _ = StateDirectory.hold(path)) {
      Path gone = path.resolveSibling(BEING_DELETED + container);
      PrivateFiles.deleteTree(gone);
      Files.move(path, gone, StandardCopyOption.ATOMIC_MOVE);
      PrivateFiles.deleteTree(gone);
      Files.deleteIfExists(path.resolveSibling(container + ".id"));
    } catch (DiskException e) {
      if (e.kind() == DiskException.Kind.IN_USE) {
        return false;
      }
      throw new UserException(ExitCode.FAILED, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw failed(path, e);
    }
    deleteIfEmpty(path.getParent());
    return true;
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
