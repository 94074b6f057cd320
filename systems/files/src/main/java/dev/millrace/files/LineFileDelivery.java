package dev.millrace.files;

import dev.millrace.api.serde.Bytes;
import dev.millrace.files.CommitFile.Delivered;
import dev.millrace.spi.ExternalSink;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.SinkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Appends a task's lines to its file.
///
/// What a commit appends is on disk before the [CommitFile] beside it says so. A crash between the
/// two leaves lines behind the length that stands there; they are cut off and written again.
///
/// An owner of the task that was cut off may be awake for a while beside its successor. So nothing
/// is remembered from one delivery to the next: under a lock each reads what the commit file says,
/// passes over what is there, and appends the rest. The lock has a file of its own, because the
/// commit file is replaced.
final class LineFileDelivery implements ExternalSink.Delivery {
  private final String stream;
  private final Path file;
  private final Path lockFile;
  private final CommitFile state;
  private final Bytes view = new Bytes();
  private @Nullable FileChannel channel;
  private @Nullable FileChannel lockChannel;
  private ByteBuffer lines = ByteBuffer.allocate(64 << 10);

  LineFileDelivery(String stream, Path directory, String task, String changelog) {
    this.stream = stream;
    String name = stream + "-" + task;
    file = directory.resolve(name + ".jsonl");
    lockFile = directory.resolve("." + name + ".lock");
    state = new CommitFile(directory.resolve("." + name + ".commit"), stream, file, changelog);
    boolean complete = false;
    try {
      Files.createDirectories(directory);
      FileChannel locks = open(lockFile);
      lockChannel = locks;
      try (FileLock _ = lock(locks)) {
        FileChannel to = open(file);
        channel = to;
        cut(to, reached(to));
      }
      complete = true;
    } catch (IOException e) {
      throw failed(e);
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private FileLock lock(FileChannel locks) throws IOException {
    FileLock held;
    try {
      held = locks.tryLock();
    } catch (OverlappingFileLockException _) {
      held = null; // by another owner in this process
    }
    if (held == null) {
      throw new SinkException(
          "Sink '%s' cannot write %s: another owner of the task holds the lock on %s. End that process if it does not go on by itself."
              .formatted(stream, file, lockFile),
          null);
    }
    return held;
  }

  /// What is delivered. A new file begins with a commit file, so that lines without one are never
  /// taken for lines that no commit stands for.
  private Delivered reached(FileChannel to) throws IOException {
    Delivered known = state.read();
    if (known != null) {
      return known;
    }
    if (to.size() > 0) {
      throw new SinkException(
          "%s has %d bytes, and %s, which says what commit wrote them, is missing. Put that file back, or move the lines away, or choose another directory for sink '%s'."
              .formatted(file, to.size(), state, stream),
          null);
    }
    state.write(Delivered.NOTHING);
    return Delivered.NOTHING;
  }

  private void cut(FileChannel to, Delivered reached) throws IOException {
    if (to.size() < reached.lengthBytes()) {
      throw new SinkException(
          "%s has %d bytes, and commit %d left %d: it was changed by somebody else. Put it back, or remove it together with %s."
              .formatted(file, to.size(), reached.commit(), reached.lengthBytes(), state),
          null);
    }
    to.truncate(reached.lengthBytes());
  }

  private SinkException failed(IOException cause) {
    return new SinkException("Sink '%s' cannot write %s: %s".formatted(stream, file, cause), cause);
  }

  @Override
  public void deliver(long commit, RecordBatch batch) {
    FileChannel to = opened(channel);
    collect(batch);
    try (FileLock _ = lock(opened(lockChannel))) {
      Delivered reached = reached(to);
      if (commit > reached.commit()) {
        cut(to, reached);
        state.write(new Delivered(commit, append(to, reached.lengthBytes())));
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private FileChannel opened(@Nullable FileChannel maybe) {
    if (maybe == null) {
      throw new IllegalStateException(file + " is closed.");
    }
    return maybe;
  }

  /// @return where the lines end
  private long append(FileChannel to, long from) throws IOException {
    long at = from;
    while (lines.hasRemaining()) {
      at += to.write(lines, at);
    }
    to.force(true);
    return at;
  }

  private void collect(RecordBatch batch) {
    lines.clear();
    for (int i = 0; i < batch.size(); i++) {
      batch.value(i, view);
      if (LineFileSink.lineEnd(view) >= 0) {
        throw new IllegalStateException(
            "A value for sink '%s' with a line's end was committed: %s"
                .formatted(stream, view.toUtf8()));
      }
      if (lines.remaining() <= view.length()) {
        ByteBuffer larger =
            ByteBuffer.allocate(
                Math.max(lines.capacity() * 2, lines.position() + view.length() + 1));
        lines = larger.put(lines.flip());
      }
      lines.put(view.array(), view.offset(), view.length()).put((byte) '\n');
    }
    lines.flip();
  }

  @Override
  public void close() {
    FileChannel file = channel;
    FileChannel locks = lockChannel;
    channel = null;
    lockChannel = null;
    try (file;
        locks) {
      // Closing is all.
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
