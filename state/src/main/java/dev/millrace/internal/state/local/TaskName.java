package dev.millrace.internal.state.local;

/// Task names, checked before they become part of a path.
public final class TaskName {
  private static final int LONGEST = 100;

  private TaskName() {}

  /// @return the name itself
  /// @throws IllegalArgumentException if it is not 1 to 100 letters, digits and `-` of ASCII
  public static String check(String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "a task's name must be 1 to %d letters, digits and '-', but this one is '%s'"
              .formatted(LONGEST, name));
    }
    return name;
  }

  /// Returns whether a name has 1 to 100 letters, digits and `-` of ASCII, and nothing else.
  public static boolean isName(String name) {
    return !name.isEmpty() && name.length() <= LONGEST && name.chars().allMatch(TaskName::allowed);
  }

  private static boolean allowed(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-';
  }
}
