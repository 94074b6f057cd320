package dev.millrace.internal.yarn.job;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.ApplicationConstants;

/// The line by which a container is started. YARN puts it between double quotes into a script of
/// bash, so every argument is quoted for both.
public final class ShellLine {
  /// Where a JDK that is brought along is unpacked.
  public static final String JDK = "jdk";

  private final List<String> parts = new ArrayList<>();

  /// Begins with the JVM of a directory.
  ///
  /// @param javaHome empty for the one that is brought along as [#JDK]
  public ShellLine(String javaHome) {
    parts.add("exec");
    if (javaHome.isEmpty()) {
      parts.add("\\$(ls -d %1$s/*/bin/java %1$s/bin/java 2>/dev/null | head -n 1)".formatted(JDK));
    } else {
      parts.add(quoted(javaHome + "/bin/java"));
    }
  }

  /// Adds arguments.
  public ShellLine add(List<String> arguments) {
    arguments.forEach(argument -> parts.add(quoted(argument)));
    return this;
  }

  /// Adds arguments.
  public ShellLine add(String... arguments) {
    return add(List.of(arguments));
  }

  /// Returns the line; what the process prints goes to the log of its container.
  public String text() {
    String logs = ApplicationConstants.LOG_DIR_EXPANSION_VAR;
    return "%s 1>%s/stdout 2>%2$s/stderr".formatted(String.join(" ", parts), logs);
  }

  /// Returns an argument as it is to stand between the double quotes.
  static String quoted(String argument) {
    String inner = "'" + argument.replace("'", "'\\''") + "'";
    StringBuilder outer = new StringBuilder();
    for (int i = 0; i < inner.length(); i++) {
      char each = inner.charAt(i);
      if (each == '\\' || each == '"' || each == '$' || each == '`') {
        outer.append('\\');
      }
      outer.append(each);
    }
    return outer.toString();
  }
}
