package dev.millrace.internal.state.local;

import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What state directories do with files: directories only their owner may enter, no links followed,
/// and failures told as a [DiskException] that names the path.
public final class PrivateFiles {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFiles() {}

  /// Creates a directory, unless it exists, and makes it private. Its parent must exist.
  public static void createDirectory(Path directory) {
    try {
      if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
        createOwnerOnly(directory);
      }
      requireDirectory(directory);
      if (isPosix(directory)
          && !Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS)
              .equals(OWNER_ONLY)) {
        Files.setPosixFilePermissions(directory, OWNER_ONLY);
      }
    } catch (IOException e) {
      throw failure("could not be made a private directory", directory, e);
    }
  }

  private static void createOwnerOnly(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, ownerOnly(directory));
    } catch (FileAlreadyExistsException _) {
      // A neighbour was faster.
    }
  }

  /// Fails unless the path itself, not what a link points to, is a directory.
  public static void requireDirectory(Path directory) {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new DiskException(
          DiskException.Kind.IO,
          directory
              + " is not a directory or is a symbolic link, which is not followed inside a state"
              + " directory; put a real directory there",
          null);
    }
  }

  /// Fails if there is a symbolic link anywhere below a directory.
  public static void requireNoLinks(Path directory) {
    requireDirectory(directory);
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isSymbolicLink()) {
                throw new DiskException(
                    DiskException.Kind.IO,
                    file
                        + " is a symbolic link, which is not followed inside a state directory;"
                        + " put the real file there",
                    null);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw failure("could not be searched for links", directory, e);
    }
  }

  /// Deletes a directory and all below it, if it exists. A link is deleted, not what it points to.
  public static void deleteTree(Path directory) {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                throws IOException {
              if (failure != null) {
                throw failure;
              }
              Files.deleteIfExists(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw failure("could not be deleted", directory, e);
    }
  }

  /// Makes the names inside a directory durable: files created, renamed and deleted so far.
  public static void syncNames(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      throw failure("could not be synced", directory, e);
    }
  }

  /// Returns the exception for a failed operation on a path: of kind `FULL` if no space was left,
  /// else `IO`.
  ///
  /// @param what what went wrong, to follow the path in the message
  public static DiskException failure(String what, Path path, IOException cause) {
    String reason =
        cause instanceof FileSystemException e && e.getReason() != null
            ? e.getReason()
            : String.valueOf(cause.getMessage());
    boolean full = tellsOfNoSpace(reason);
    return new DiskException(
        full ? DiskException.Kind.FULL : DiskException.Kind.IO,
        "%s %s: %s (%s)%s"
            .formatted(
                path,
                what,
                reason,
                cause.getClass().getSimpleName(),
                full ? "; free some space and try again" : ""),
        cause);
  }

  /// Returns whether the operating system's words in a message say that no space was left, or no
  /// quota.
  public static boolean tellsOfNoSpace(String message) {
    return message.contains("No space left") || message.contains("quota exceeded");
  }

  static FileAttribute<?>[] ownerOnly(Path path) {
    return isPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
