package dev.millrace.testkit.disk;

import dev.millrace.testkit.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What a worn medium or a broken file system does to real files, whether or not they are in use.
public final class FileWear {
  private static final int ZEROED_BYTES = 512;
  private static final int GARBAGE_BYTES = 100;

  private FileWear() {}

  /// Damages one of the files below a directory, in a way that is drawn too. One that its owner
  /// deletes meanwhile is left out.
  ///
  /// @return whether there was one
  public static boolean wear(Path directory, Seed draw) {
    List<Path> files = new ArrayList<>(files(directory));
    while (!files.isEmpty()) {
      Path file = files.remove(draw.below(files.size()));
      try {
        wearFile(file, draw);
        return true;
      } catch (NoSuchFileException _) {
        // Its owner has just deleted it: another one.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return false;
  }

  /// Those with content, whose names give their order.
  private static List<Path> files(Path directory) {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isRegularFile() && attributes.size() > 0) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              return e instanceof NoSuchFileException
                  ? FileVisitResult.CONTINUE
                  : super.visitFileFailed(file, e);
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Collections.sort(files);
    return files;
  }

  private static void wearFile(Path file, Seed draw) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      int length = Math.toIntExact(channel.size());
      switch (draw.below(8)) {
        case 0 -> channel.truncate(draw.below(length));
        case 1 -> {
          int from = draw.below(length);
          channel.write(ByteBuffer.allocate(Math.min(ZEROED_BYTES, length - from)), from);
        }
        case 2 -> Files.delete(file);
        case 3 -> channel.write(ByteBuffer.wrap(draw.bytes(GARBAGE_BYTES)), length);
        default -> flip(channel, draw.below(length), draw.below(8));
      }
    }
  }

  private static void flip(FileChannel channel, int at, int bit) throws IOException {
    ByteBuffer one = ByteBuffer.allocate(1);
    channel.read(one, at);
    one.put(0, (byte) (one.get(0) ^ 1 << bit)).flip();
    channel.write(one, at);
  }
}
