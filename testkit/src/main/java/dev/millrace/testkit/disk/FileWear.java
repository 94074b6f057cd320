package dev.millrace.testkit.disk;

import dev.millrace.testkit.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/// What a worn medium or a broken file system does to real files, whether or not they are in use.
public final class FileWear {
  private static final int ZEROED_BYTES = 512;
  private static final int GARBAGE_BYTES = 100;

  private FileWear() {}

  /// Damages one of the files below a directory, in a way that is drawn too.
  ///
  /// @return whether there was one
  public static boolean wear(Path directory, Seed draw) {
    List<Path> files = files(directory);
    if (files.isEmpty()) {
      return false;
    }
    try {
      wearFile(draw.pick(files), draw);
      return true;
    } catch (NoSuchFileException _) {
      return false; // its owner has just deleted it
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Those with content, whose names give their order.
  private static List<Path> files(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(path -> Files.isRegularFile(path) && path.toFile().length() > 0)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
