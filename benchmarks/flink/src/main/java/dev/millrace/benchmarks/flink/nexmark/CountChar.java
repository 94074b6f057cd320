package dev.millrace.benchmarks.flink.nexmark;

import org.apache.flink.table.functions.ScalarFunction;
import org.jspecify.annotations.Nullable;

/// How often a text has a letter. Public, as Flink's generated code calls it.
public final class CountChar extends ScalarFunction {
  private static final long serialVersionUID = 1;

  /// Called by Flink.
  public long eval(@Nullable String text, String letter) {
    if (text == null) {
      return 0;
    }
    long count = 0;
    char wanted = letter.charAt(0);
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == wanted) {
        count++;
      }
    }
    return count;
  }
}
