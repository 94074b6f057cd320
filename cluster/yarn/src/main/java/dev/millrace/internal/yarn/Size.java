package dev.millrace.internal.yarn;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An amount of memory as a person gives it, such as `2GB`.
final class Size {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})([MG])B?");
  private static final int MEGABYTES_OF_GIGABYTE = 1024;

  /// What of a container's memory a process may have, and what of that the JVM needs for itself.
  private static final double USED = 0.9;

  private static final int JVM_MEGABYTES = 220;

  /// Heap, what the JVM needs for it, and what state takes beside it.
  private static final double BESIDE = 1.25;

  private static final int LEAST_HEAP_MEGABYTES = 64;

  private Size() {}

  /// Returns the megabytes.
  ///
  /// @throws YarnProblem if the text is no size
  static long megabytes(String option, String text) {
    Matcher found = FORM.matcher(text.toUpperCase(Locale.ROOT));
    if (!found.matches()) {
      throw new YarnProblem(
          Exit.USAGE,
          "%s is '%s'; give megabytes or gigabytes, as 512MB or 2GB.".formatted(option, text));
    }
    long number = Long.parseLong(Objects.requireNonNull(found.group(1)));
    return "G".equals(found.group(2)) ? number * MEGABYTES_OF_GIGABYTE : number;
  }

  /// Returns the heap of a process whose container has so much memory.
  static long heapMegabytes(long containerMegabytes) {
    return Math.max(
        LEAST_HEAP_MEGABYTES, (long) ((containerMegabytes * USED - JVM_MEGABYTES) / BESIDE));
  }
}
