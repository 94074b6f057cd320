package dev.millrace.internal.state.snapshot;

import dev.millrace.internal.state.local.TaskName;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The owner of snapshots: the three parts with which their names in the blob store begin.
///
/// @param application its name
/// @param topicId the id of its changelog topic
/// @param task such as `1-3`
public record SnapshotOwner(String application, String topicId, String task) {
  private static final Pattern APPLICATION = Pattern.compile("[a-z0-9][a-z0-9-]{0,99}");
  private static final Pattern TOPIC_ID = Pattern.compile("[A-Za-z0-9_-]{1,100}");
  private static final String BLOBS = "blobs";
  private static final String SNAPSHOTS = "snapshots";

  /// @throws IllegalArgumentException if a part cannot be part of a blob's name
  public SnapshotOwner {
    if (!APPLICATION.matcher(application).matches()) {
      throw new IllegalArgumentException(
          "'"
              + application
              + "' is not a valid name of an application: it must have lower-case letters, digits"
              + " and '-'");
    }
    if (!TOPIC_ID.matcher(topicId).matches()) {
      throw new IllegalArgumentException(
          "'"
              + topicId
              + "' is not a valid id of a topic: it must have letters, digits, '-' and '_'");
    }
    TaskName.check(task);
  }

  /// Returns the owner of a blob; null if it is not part of a snapshot.
  public static @Nullable SnapshotOwner of(String blob) {
    String[] parts = blob.split("/", -1);
    if (parts.length != 5 || !(parts[3].equals(BLOBS) || parts[3].equals(SNAPSHOTS))) {
      return null;
    }
    try {
      return new SnapshotOwner(parts[0], parts[1], parts[2]);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /// Returns the prefix of the names of all blobs of an application.
  public static String prefix(String application) {
    return new SnapshotOwner(application, "-", "-").application() + "/";
  }

  /// Returns the prefix of the names of the contents of files.
  String blobs() {
    return prefix() + BLOBS + "/";
  }

  /// Returns the prefix of the names of manifests.
  String snapshots() {
    return prefix() + SNAPSHOTS + "/";
  }

  private String prefix() {
    return application + "/" + topicId + "/" + task + "/";
  }
}
