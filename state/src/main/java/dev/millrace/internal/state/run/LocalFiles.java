package dev.millrace.internal.state.run;

import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.internal.state.local.StateDirectory;
import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Files in a directory of the local file system, which is private, held by this process until
/// [#close], and reached without following links.
public final class LocalFiles implements RunFiles {
  private final StateDirectory directory;

  /// @throws DiskException of kind `IN_USE` if another process or this one holds the directory
  public LocalFiles(Path directory) {
    this.directory = StateDirectory.hold(directory);
  }

  @Override
  public SortedSet<String> list() {
    SortedSet<String> names = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.path(), "?*.*")) {
      files.forEach(file -> names.add(directory.path().relativize(file).toString()));
      return names;
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be listed", directory.path(), e);
    }
  }

  @Override
  public Appender create(String name) {
    Path file = file(name);
    try {
      return new LocalAppender(
          file,
          FileChannel.open(
              file,
              Set.of(
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.WRITE,
                  LinkOption.NOFOLLOW_LINKS)));
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be created", file, e);
    }
  }

  @Override
  public Content open(String name) {
    Path file = file(name);
    try {
      return new LocalContent(
          file, FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be opened", file, e);
    }
  }

  @Override
  public void rename(String from, String to) {
    try {
      Files.move(file(from), file(to), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be renamed to " + to, file(from), e);
    }
  }

  @Override
  public void delete(String name) {
    try {
      Files.delete(file(name));
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be deleted", file(name), e);
    }
  }

  @Override
  public void syncNames() {
    PrivateFiles.syncNames(directory.path());
  }

  @Override
  public String describe(String name) {
    return file(name).toString();
  }

  @Override
  public void close() {
    directory.close();
  }

  private Path file(String name) {
    Path file = directory.path().resolve(name);
    if (name.indexOf('.') <= 0 || !directory.path().equals(file.getParent())) {
      throw new IllegalArgumentException("'" + name + "' is not the name of a file of a run");
    }
    return file;
  }

  private record LocalAppender(Path file, FileChannel channel) implements Appender {
    @Override
    public void append(byte[] bytes, int offset, int length) {
      ByteBuffer rest = ByteBuffer.wrap(bytes, offset, length);
      try {
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be written", file, e);
      }
    }

    @Override
    public void sync() {
      try {
        channel.force(true);
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be synced", file, e);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be closed", file, e);
      }
    }
  }

  private record LocalContent(Path file, FileChannel channel) implements Content {
    @Override
    public long length() {
      try {
        return channel.size();
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be measured", file, e);
      }
    }

    @Override
    public void read(long position, byte[] into, int offset, int length) {
      ByteBuffer rest = ByteBuffer.wrap(into, offset, length);
      try {
        while (rest.hasRemaining()) {
          if (channel.read(rest, position + length - rest.remaining()) < 0) {
            throw new DiskException(
                DiskException.Kind.CORRUPT,
                "%s ends before byte %d".formatted(file, position + length),
                null);
          }
        }
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be read", file, e);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be closed", file, e);
      }
    }
  }
}
