package dev.millrace.files;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One file that is being read. Positions carry its name, so that another file in its place is
/// noticed.
final class OpenFile {
  private static final int READ_BYTES = 256 << 10;
  private static final int MAX_LINE_BYTES = 16 << 20;

  private final LineFileSplits source;
  private final Split split;
  private final Path path;
  private final FileChannel channel;
  private final byte[] name;
  private final long timestamp;
  private byte[] buffer = new byte[READ_BYTES];
  private long position;
  private long end = -1;

  boolean paused;

  private OpenFile(
      LineFileSplits source, Split split, Path path, FileChannel channel, long position)
      throws IOException {
    this.source = source;
    this.split = split;
    this.path = path;
    this.channel = channel;
    this.position = position;
    name = name(path);
    timestamp = Files.getLastModifiedTime(path).toMillis();
  }

  private static byte[] name(Path path) {
    return String.valueOf(path.getFileName()).getBytes(StandardCharsets.UTF_8);
  }

  static OpenFile open(LineFileSplits source, Split split, Position start) {
    Path path = source.file(split);
    if (start.detail().length > 0 && !Arrays.equals(start.detail(), name(path))) {
      throw lost(
          split,
          "Split %s was the file %s and is now %s: files came or went in its directory. Put them back as they were."
              .formatted(split, new String(start.detail(), StandardCharsets.UTF_8), path));
    }
    try {
      FileChannel channel = FileChannel.open(path);
      boolean complete = false;
      try {
        if (start.offset() > channel.size()) {
          throw lost(
              split,
              "File %s of split %s was read to byte %d and has only %d now. Put the file back as it was."
                  .formatted(path, split, start.offset(), channel.size()));
        }
        OpenFile opened = new OpenFile(source, split, path, channel, start.offset());
        complete = true;
        return opened;
      } finally {
        if (!complete) {
          channel.close();
        }
      }
    } catch (IOException e) {
      throw source.failed(path, e);
    }
  }

  private static LogException lost(Split split, String message) {
    return new LogException(Kind.POSITION_LOST, split, message, null);
  }

  /// Up to where there are lines, as far as known; -1 if nothing was read yet.
  long end() {
    return end;
  }

  /// The next lines; null if there is none now.
  @Nullable RecordBatch read(BatchPool pool) {
    try {
      int length = fill();
      boolean atEnd = position + length >= channel.size();
      int usable = lines(length, atEnd);
      if (usable == 0) {
        end = position;
        return null;
      }
      RecordBatch batch = pool.take(split, name, position);
      append(batch, usable);
      position += usable;
      batch.nextOffset(position);
      end = Math.max(position, channel.size());
      return batch;
    } catch (IOException e) {
      throw source.failed(path, e);
    }
  }

  /// Reads from the position on: a whole line at least, if there is one.
  private int fill() throws IOException {
    int length = 0;
    while (true) {
      int read =
          channel.read(ByteBuffer.wrap(buffer, length, buffer.length - length), position + length);
      if (read < 0) {
        return length;
      }
      boolean found = lastLineEnd(length, length + read) >= 0;
      length += read;
      if (length == buffer.length) {
        if (found || lastLineEnd(0, length) >= 0) {
          return length;
        }
        if (buffer.length >= MAX_LINE_BYTES) {
          throw new LogException(
              Kind.TOO_LARGE,
              split,
              "The line at byte %d of %s has more than %d bytes.".formatted(position, path, length),
              null);
        }
        buffer = Arrays.copyOf(buffer, buffer.length * 2);
      }
    }
  }

  /// How many bytes are whole lines.
  private int lines(int length, boolean atEnd) {
    if (atEnd && source.lastLineCounts()) {
      return length;
    }
    return lastLineEnd(0, length) + 1;
  }

  private int lastLineEnd(int from, int to) {
    for (int i = to - 1; i >= from; i--) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private void append(RecordBatch batch, int usable) {
    int start = 0;
    for (int i = 0; i <= usable; i++) {
      boolean lineEnds = i == usable || buffer[i] == '\n';
      if (lineEnds) {
        int length = i - start;
        if (length > 0 && buffer[i - 1] == '\r') {
          length--;
        }
        if (length > 0) {
          batch.append(position + start, timestamp);
          batch.value(buffer, start, length);
        }
        start = i + 1;
      }
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw source.failed(path, e);
    }
  }
}
