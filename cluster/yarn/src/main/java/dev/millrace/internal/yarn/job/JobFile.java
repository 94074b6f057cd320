package dev.millrace.internal.yarn.job;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;

/// A file in HDFS that YARN puts into the directory of a container.
///
/// @param link its name there
/// @param modifiedMillis when it was last written, by which YARN knows that it is the same
/// @param unpacked whether it is an archive, and the link a directory with what is in it
public record JobFile(
    String link, String path, long sizeBytes, long modifiedMillis, boolean unpacked) {
  private static final String SEPARATOR = "|";

  /// Returns what YARN is told.
  public LocalResource resource() {
    return resource(LocalResourceVisibility.PRIVATE);
  }

  /// Returns what YARN is told of a file that hosts are not to keep for later runs.
  public LocalResource resourceOfOneRun() {
    return resource(LocalResourceVisibility.APPLICATION);
  }

  private LocalResource resource(LocalResourceVisibility visibility) {
    return LocalResource.newInstance(
        URL.fromPath(new Path(path)),
        unpacked ? LocalResourceType.ARCHIVE : LocalResourceType.FILE,
        visibility,
        sizeBytes,
        modifiedMillis);
  }

  /// Returns a copy with another name in the container, unpacked there.
  public JobFile unpackedAs(String newLink) {
    return new JobFile(newLink, path, sizeBytes, modifiedMillis, true);
  }

  String text() {
    return String.join(
        SEPARATOR,
        link,
        Long.toString(sizeBytes),
        Long.toString(modifiedMillis),
        Boolean.toString(unpacked),
        path);
  }

  static JobFile of(String text) {
    String[] parts = text.split("\\|", 5);
    if (parts.length != 5) {
      throw new IllegalArgumentException("'%s' is no file of a job.".formatted(text));
    }
    return new JobFile(
        parts[0],
        parts[4],
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Boolean.parseBoolean(parts[3]));
  }
}
