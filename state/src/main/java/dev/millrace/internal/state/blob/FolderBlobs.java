package dev.millrace.internal.state.blob;

import dev.millrace.spi.BlobException;
import dev.millrace.spi.BlobStore;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Stores blobs as files in a folder, which may be a mount that many hosts share. Thread-safe.
///
/// A blob is written under another name, synced and renamed, so it exists whole or not at all.
/// Files that a killed process has left half written are never listed, and [#deleteDrafts] removes
/// them. The folder must exist: if it does not, a mount may be missing, and creating the folder
/// would hide that.
public final class FolderBlobs implements BlobStore, AutoCloseable {
  /// A dot is at no begin of a blob's name.
  private static final String DRAFT = ".new-";

  private static final int COPY_BYTES = 64 << 10;

  private final Path folder;
  private volatile boolean closed;

  public FolderBlobs(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  @Override
  public boolean put(String name, long sizeBytes, InputStream content) throws IOException {
    Path file = file(name);
    requireFolder();
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    Path directory = createParents(file);
    Path draft = directory.resolve(DRAFT + UUID.randomUUID());
    boolean renamed = false;
    try {
      write(draft, sizeBytes, content);
      rename(draft, file);
      renamed = true;
    } finally {
      if (!renamed) {
        deleteFile(draft);
      }
    }
    syncNames(directory);
    return true;
  }

  @Override
  public InputStream open(String name) {
    Path file = file(name);
    try {
      requireFolder();
      return new Opened(Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException e) {
      throw new BlobException(
          BlobException.Kind.MISSING, "there is no blob " + name + " in " + folder, e);
    } catch (IOException e) {
      throw failure("could not be opened", file, e);
    }
  }

  @Override
  public List<Blob> list(String prefix) {
    requireFolder();
    List<Blob> blobs = new ArrayList<>();
    visit(
        folder.resolve(BlobStore.checkPrefix(prefix)),
        (file, attributes) -> {
          if (!beginsWith(file, ".")) {
            blobs.add(
                new Blob(
                    nameOf(file), attributes.size(), attributes.lastModifiedTime().toMillis()));
          }
        });
    blobs.sort(Comparator.comparing(Blob::name));
    return blobs;
  }

  @Override
  public void delete(String name) {
    Path file = file(name);
    requireFolder();
    deleteFile(file);
  }

  /// Makes all calls, also those under way, fail with kind `UNAVAILABLE`, and reading of open blobs
  /// with an `IOException`.
  @Override
  public void close() {
    closed = true;
  }

  /// Removes files that killed processes have left half written.
  ///
  /// @param beforeMillis only what was not written to since, in milliseconds since 1970
  public void deleteDrafts(long beforeMillis) {
    requireFolder();
    visit(
        folder,
        (file, attributes) -> {
          if (beginsWith(file, DRAFT) && attributes.lastModifiedTime().toMillis() < beforeMillis) {
            deleteFile(file);
          }
        });
  }

  private interface Visit {
    void file(Path file, BasicFileAttributes attributes);
  }

  private static void visit(Path from, Visit visit) {
    try {
      Files.walkFileTree(
          from,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isRegularFile()) {
                visit.file(file, attributes);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE; // it was deleted meanwhile
              }
              throw e;
            }
          });
    } catch (IOException e) {
      throw failure("could not be listed", from, e);
    }
  }

  private static boolean beginsWith(Path file, String prefix) {
    Path name = file.getFileName();
    return name != null && name.toString().startsWith(prefix);
  }

  private Path file(String name) {
    return folder.resolve(BlobStore.checkName(name));
  }

  private String nameOf(Path file) {
    StringBuilder name = new StringBuilder();
    for (Path part : folder.relativize(file)) {
      name.append(name.isEmpty() ? "" : "/").append(part);
    }
    return name.toString();
  }

  private void requireFolder() {
    if (closed) {
      throw new BlobException(
          BlobException.Kind.UNAVAILABLE, folder + " is not used any more: the job ends", null);
    }
    if (!Files.isDirectory(folder)) {
      throw new BlobException(
          BlobException.Kind.UNAVAILABLE,
          folder + " is not a directory: mount it, or create it",
          null);
    }
  }

  private Path createParents(Path file) {
    Path directory = parent(file);
    Path existing = directory;
    while (!Files.isDirectory(existing, LinkOption.NOFOLLOW_LINKS) && !existing.equals(folder)) {
      existing = parent(existing);
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw failure("could not be created", directory, e);
    }
    for (Path made = directory; !made.equals(existing); made = parent(made)) {
      syncNames(parent(made));
    }
    return directory;
  }

  private Path parent(Path path) {
    Path parent = path.getParent();
    return parent == null ? folder : parent;
  }

  private void write(Path draft, long sizeBytes, InputStream content) throws IOException {
    byte[] bytes = new byte[COPY_BYTES];
    long written = 0;
    try (FileChannel channel = create(draft)) {
      for (int read = content.read(bytes); read >= 0; read = content.read(bytes)) {
        requireFolder();
        append(channel, draft, ByteBuffer.wrap(bytes, 0, read));
        written += read;
      }
      sync(channel, draft);
    }
    if (written != sizeBytes) {
      throw new IOException(
          "The content of a blob has %d bytes instead of %d.".formatted(written, sizeBytes));
    }
  }

  private static FileChannel create(Path draft) {
    try {
      return FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw failure("could not be created", draft, e);
    }
  }

  private static void append(FileChannel channel, Path draft, ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw failure("could not be written", draft, e);
    }
  }

  private static void sync(FileChannel channel, Path file) {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw failure("could not be synced", file, e);
    }
  }

  private static void rename(Path draft, Path file) {
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failure("could not be renamed to " + file.getFileName(), draft, e);
    }
  }

  private static void syncNames(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      sync(channel, directory);
    } catch (IOException e) {
      throw failure("could not be synced", directory, e);
    }
  }

  private static void deleteFile(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw failure("could not be deleted", file, e);
    }
  }

  private static BlobException failure(String what, Path path, @Nullable IOException cause) {
    return new BlobException(
        BlobException.Kind.UNAVAILABLE, "%s %s: %s".formatted(path, what, cause), cause);
  }

  /// A blob that is read as long as this is not closed.
  private final class Opened extends FilterInputStream {
    Opened(InputStream file) {
      super(file);
    }

    @Override
    public int read() throws IOException {
      requireOpen();
      return super.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      requireOpen();
      return super.read(into, offset, length);
    }

    private void requireOpen() throws IOException {
      if (closed) {
        throw new IOException(folder + " is not used any more: the job ends");
      }
    }
  }
}
