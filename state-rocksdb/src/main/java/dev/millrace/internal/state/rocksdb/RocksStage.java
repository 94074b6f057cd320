package dev.millrace.internal.state.rocksdb;

import dev.millrace.internal.state.local.ImageFileName;
import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.spi.DiskStage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Collects a database and its `FORMAT` in a directory with the layout of a task's directory, which
/// is then renamed to it.
final class RocksStage implements DiskStage {
  private static final int COPY_BYTES = 64 << 10;

  private final TaskDirectory task;
  private final Runnable afterClose;
  private boolean closed;

  RocksStage(TaskDirectory task, Runnable afterClose) {
    this.task = task;
    this.afterClose = afterClose;
    task.createStage();
  }

  @Override
  public SortedMap<String, Long> files() {
    SortedMap<String, Long> sizes = new TreeMap<>();
    for (Path directory : List.of(task.stage(), task.stagedDatabase())) {
      try (Stream<Path> paths = Files.list(directory)) {
        for (Path path : paths.toList()) {
          if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            sizes.put(directory.relativize(path).toString(), Files.size(path));
          }
        }
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be listed", directory, e);
      }
    }
    return Collections.unmodifiableSortedMap(sizes);
  }

  @Override
  public InputStream open(String name) {
    Path file = file(name);
    try {
      return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be opened", file, e);
    }
  }

  @Override
  public void write(String name, InputStream content) throws IOException {
    Path file = file(name);
    deleteIfThere(file);
    byte[] bytes = new byte[COPY_BYTES];
    try (FileChannel channel = create(file)) {
      for (int read = content.read(bytes); read >= 0; read = content.read(bytes)) {
        append(channel, file, ByteBuffer.wrap(bytes, 0, read));
      }
      sync(channel, file);
    }
  }

  private static FileChannel create(Path file) {
    try {
      return FileChannel.open(
          file,
          Set.of(
              StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be created", file, e);
    }
  }

  private static void append(FileChannel channel, Path file, ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be written", file, e);
    }
  }

  private static void sync(FileChannel channel, Path file) {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be synced", file, e);
    }
  }

  @Override
  public void delete(String name) {
    deleteIfThere(file(name));
  }

  private static void deleteIfThere(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be deleted", file, e);
    }
  }

  @Override
  public void publish() {
    task.publishStage();
  }

  @Override
  public void discard() {
    task.deleteStage();
    task.createStage();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      task.deleteStageIfEmpty();
      afterClose.run();
    }
  }

  private Path file(String name) {
    ImageFileName.check(name);
    return name.equals(FormatFile.NAME)
        ? task.stage().resolve(name)
        : task.stagedDatabase().resolve(name);
  }
}
