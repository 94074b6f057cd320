package dev.millrace.internal.state.local;

import java.util.regex.Pattern;

/// Names of the files of a disk's image, checked before they become part of a path.
public final class ImageFileName {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9-][A-Za-z0-9.-]{0,99}");

  private ImageFileName() {}

  /// @return the name itself
  /// @throws IllegalArgumentException if it is not 1 to 100 letters, digits, `-` and `.` of ASCII,
  ///   or begins with `.`
  public static String check(String name) {
    if (!ALLOWED.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a valid name for a file of a disk's image: it must have 1 to 100 letters, digits, '-' and '.'"
              .formatted(name));
    }
    return name;
  }
}
