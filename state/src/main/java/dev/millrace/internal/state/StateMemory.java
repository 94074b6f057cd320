package dev.millrace.internal.state;

/// The memory of a task's state in bytes: for objects an estimate, for the layers the size of their
/// arrays, whether filled or not.
///
/// @param objects decoded objects, including live ones
/// @param live the part of these that was changed and not committed
/// @param pending entries that were sent with a commit whose outcome is not known
/// @param committed committed entries that are not on disk yet
public record StateMemory(long objects, long live, long pending, long committed) {
  public static final StateMemory NONE = new StateMemory(0, 0, 0, 0);

  /// Returns the sum.
  public long bytes() {
    return objects + pending + committed;
  }
}
