package dev.millrace.files;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.ExternalSink;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.SinkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Appends a task's lines to its file.
///
/// What a commit appends is on disk before the file beside it says so: 8 bytes each, big-endian,
/// for the number of the last commit and the length of the lines up to it, then in UTF-8 the id of
/// the changelog that counts the commits. A crash between the two leaves lines behind that length;
/// they are cut off and written again.
final class LineFileDelivery implements ExternalSink.Delivery {
  private static final int COUNTERS = 2 * Long.BYTES;

  private final String stream;
  private final byte[] changelog;
  private final Path file;
  private final Path state;
  private final Bytes view = new Bytes();
  private @Nullable FileChannel channel;
  private ByteBuffer lines = ByteBuffer.allocate(64 << 10);
  private long lastCommit;
  private long length;

  LineFileDelivery(String stream, Path directory, String task, String changelog) {
    this.stream = stream;
    this.changelog = changelog.getBytes(StandardCharsets.UTF_8);
    file = directory.resolve(task + ".jsonl");
    state = directory.resolve("." + task + ".commit");
    try {
      Files.createDirectories(directory);
      readState();
      FileChannel opened =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      channel = opened;
      cut(opened);
    } catch (IOException e) {
      close();
      throw failed(e);
    }
  }

  private void readState() throws IOException {
    if (Files.exists(state)) {
      byte[] bytes = Files.readAllBytes(state);
      if (bytes.length < COUNTERS) {
        throw new SinkException(
            "%s is damaged: it has %d bytes. Remove it together with %s to write that anew."
                .formatted(state, bytes.length, file),
            null);
      }
      byte[] writtenBy = Arrays.copyOfRange(bytes, COUNTERS, bytes.length);
      if (!Arrays.equals(writtenBy, changelog)) {
        throw new SinkException(
            "%s was written by an application with another changelog. Choose another directory for sink '%s', or move the files away."
                .formatted(file, stream),
            null);
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      lastCommit = buffer.getLong();
      length = buffer.getLong();
    }
  }

  private void cut(FileChannel opened) throws IOException {
    if (opened.size() < length) {
      close();
      throw new SinkException(
          "%s has %d bytes, and commit %d left %d: it was changed by somebody else. Put it back, or remove it together with %s."
              .formatted(file, opened.size(), lastCommit, length, state),
          null);
    }
    opened.truncate(length);
  }

  private SinkException failed(IOException cause) {
    return new SinkException("Sink '%s' cannot write %s: %s".formatted(stream, file, cause), cause);
  }

  @Override
  public void deliver(long commit, RecordBatch batch) {
    if (commit <= lastCommit) {
      return; // it is there
    }
    FileChannel to = channel;
    if (to == null) {
      throw new IllegalStateException(file + " is closed.");
    }
    write(batch);
    lines.flip();
    int bytes = lines.remaining();
    try {
      to.truncate(length);
      long at = length;
      while (lines.hasRemaining()) {
        at += to.write(lines, at);
      }
      to.force(true);
      writeState(commit, length + bytes);
    } catch (IOException e) {
      throw failed(e);
    }
    lastCommit = commit;
    length += bytes;
  }

  private void write(RecordBatch batch) {
    lines.clear();
    for (int i = 0; i < batch.size(); i++) {
      batch.value(i, view);
      for (int at = 0; at < view.length(); at++) {
        if (view.get(at) == '\n') {
          throw new SinkException(
              "A record for sink '%s' contains a line's end, so it would be two lines of %s: %s"
                  .formatted(stream, file, view.toUtf8()),
              null);
        }
      }
      if (lines.remaining() <= view.length()) {
        ByteBuffer larger =
            ByteBuffer.allocate(
                Math.max(lines.capacity() * 2, lines.position() + view.length() + 1));
        lines = larger.put(lines.flip());
      }
      lines.put(view.array(), view.offset(), view.length()).put((byte) '\n');
    }
  }

  private void writeState(long commit, long newLength) throws IOException {
    Path fresh = state.resolveSibling(state.getFileName() + ".new");
    ByteBuffer bytes =
        ByteBuffer.allocate(COUNTERS + changelog.length)
            .putLong(commit)
            .putLong(newLength)
            .put(changelog)
            .flip();
    try (FileChannel to =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        int written = to.write(bytes);
        assert written >= 0;
      }
      to.force(true);
    }
    Files.move(fresh, state, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel directory = FileChannel.open(state.resolveSibling("."))) {
      directory.force(true);
    }
  }

  @Override
  public void close() {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }
}
