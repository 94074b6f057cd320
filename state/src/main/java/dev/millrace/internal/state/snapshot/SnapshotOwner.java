package dev.millrace.internal.state.snapshot;

import dev.millrace.internal.state.local.TaskName;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Whose snapshots are meant: the three parts that their names in the blob store begin with.
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
          "'" + application + "' is no name of an application: lower-case letters, digits and '-'");
    }
    if (!TOPIC_ID.matcher(topicId).matches()) {
      throw new IllegalArgumentException(
          "'" + topicId + "' is no id of a topic: letters, digits, '-' and '_'");
    }
    TaskName.check(task);
  }

  /// Whose a blob is; null if it is no part of a snapshot.
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

  /// What the names of all blobs of an application begin with.
  public static String prefix(String application) {
    return new SnapshotOwner(application, "-", "-").application() + "/";
  }

  /// What the names of the contents of files begin with.
  String blobs() {
    return prefix() + BLOBS + "/";
  }

  /// What the names of manifests begin with.
  String snapshots() {
    return prefix() + SNAPSHOTS + "/";
  }

  private String prefix() {
    return application + "/" + topicId + "/" + task + "/";
  }
}
