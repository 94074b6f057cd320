package dev.millrace.testkit.contract;

import dev.millrace.spi.DiskImage;
import dev.millrace.spi.DiskStage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;

/// The contents of a disk's image, by the names of its files.
///
/// @param contents may be changed
public record ImageFiles(Map<String, byte[]> contents) {

  /// Reads a whole image.
  public static ImageFiles read(DiskImage image) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    for (DiskImage.File file : image.files()) {
      try (InputStream in = image.open(file.name())) {
        byte[] content = in.readAllBytes();
        if (content.length != file.sizeBytes()) {
          throw new AssertionError(file + " has " + content.length + " bytes");
        }
        contents.put(file.name(), content);
      }
    }
    return new ImageFiles(contents);
  }

  /// Writes all files to a stage.
  public void writeTo(DiskStage stage) throws IOException {
    for (Map.Entry<String, byte[]> file : contents.entrySet()) {
      stage.write(file.getKey(), new ByteArrayInputStream(file.getValue()));
    }
  }
}
