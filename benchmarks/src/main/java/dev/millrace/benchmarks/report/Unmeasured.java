package dev.millrace.benchmarks.report;

/// Why something was not measured, as a cell of a table.
public final class Unmeasured {
  private static final int MOST_LETTERS = 60;

  private Unmeasured() {}

  /// Returns why it failed, or the beginning of that if it is long.
  public static String failed(String why) {
    return because("FAILED: " + why);
  }

  /// Returns a reason, or its beginning if it is long.
  public static String because(String why) {
    return why.length() > MOST_LETTERS ? why.substring(0, MOST_LETTERS) + "…" : why;
  }
}
