package dev.millrace.internal.state.run;

import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A manifest and the runs it names.
final class SortedRunImage implements DiskImage {
  private final TaskFiles taskFiles;
  private final Manifest manifest;
  private final byte[] manifestBytes;
  private final byte[] position;
  private final List<File> files = new ArrayList<>();
  private boolean closed;

  private SortedRunImage(TaskFiles taskFiles, Manifest manifest, byte[] position) {
    this.taskFiles = taskFiles;
    this.manifest = manifest;
    this.position = position;
    manifestBytes = manifest.encode();
    files.add(new File(TaskFiles.MANIFEST, manifestBytes.length, false));
    for (Manifest.RunName run : manifest.runs()) {
      files.add(new File(TaskFiles.runName(run.number()), run.lengthBytes(), true));
    }
    files.sort(Comparator.comparing(File::name));
  }

  static SortedRunImage take(TaskFiles taskFiles, Manifest manifest, byte[] position) {
    taskFiles.pin(manifest.runs());
    return new SortedRunImage(taskFiles, manifest, position);
  }

  @Override
  public byte[] position() {
    return position.clone();
  }

  @Override
  public List<File> files() {
    return List.copyOf(files);
  }

  @Override
  public InputStream open(String name) {
    if (name.equals(TaskFiles.MANIFEST)) {
      return new ByteArrayInputStream(manifestBytes);
    }
    for (Manifest.RunName run : manifest.runs()) {
      if (TaskFiles.runName(run.number()).equals(name)) {
        return new ContentStream(taskFiles.content(run));
      }
    }
    throw new IllegalArgumentException("'" + name + "' is not a file of this image");
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      taskFiles.unpin(manifest.runs());
    }
  }

  /// A file from its start to its end.
  static final class ContentStream extends InputStream {
    private final RunFiles.Content content;
    private long at;

    ContentStream(RunFiles.Content content) {
      this.content = content;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        int rest = (int) Math.min(length, content.length() - at);
        if (rest <= 0) {
          return length == 0 ? 0 : -1;
        }
        content.read(at, into, offset, rest);
        at += rest;
        return rest;
      } catch (DiskException e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      content.close();
    }
  }
}
