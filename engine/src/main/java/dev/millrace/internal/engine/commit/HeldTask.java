package dev.millrace.internal.engine.commit;

/// A task of a commit group.
///
/// @param version of the decision that gave it to the group
public record HeldTask(long version, Stage stage) {

  /// How far it is.
  public enum Stage {
    /// It is claimed and prepared.
    COMING,
    /// The group writes for it.
    OWNED,
    /// As `OWNED`, until the next commit.
    LEAVING
  }
}
