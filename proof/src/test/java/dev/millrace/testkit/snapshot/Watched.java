package dev.millrace.testkit.snapshot;

import dev.millrace.spi.DiskImage;
import java.io.InputStream;
import java.util.List;

/// An image that notes which files are opened.
record Watched(DiskImage image, List<String> opened) implements DiskImage {
  @Override
  public byte[] position() {
    return image.position();
  }

  @Override
  public List<File> files() {
    return image.files();
  }

  @Override
  public InputStream open(String name) {
    opened.add(name);
    return image.open(name);
  }

  @Override
  public void close() {
    image.close();
  }
}
