package dev.millrace.internal.state;

/// The memory of a task's state in bytes: of objects an estimate, of the layers what their arrays
/// take, filled or not.
///
/// @param objects decoded, live ones among them
/// @param live of these, what was changed and not committed
/// @param pending what was sent with a commit whose outcome is not known
/// @param committed what is not on disk yet
public record StateMemory(long objects, long live, long pending, long committed) {
  public static final StateMemory NONE = new StateMemory(0, 0, 0, 0);

  /// All of it.
  public long bytes() {
    return objects + pending + committed;
  }
}
