package dev.millrace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/// What this build of Millrace calls itself.
public final class BuildVersion {
  private static final String RESOURCE = "build.properties";

  private BuildVersion() {}

  /// The version, as the artifacts have it.
  public static String version() {
    return property("version");
  }

  /// The commit it was built of, `unknown` if it was not built in a clone.
  public static String commit() {
    return property("commit");
  }

  /// Version and commit, for people.
  public static String text() {
    return "Millrace " + version() + " (" + commit() + ")";
  }

  private static String property(String name) {
    Properties properties = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream(RESOURCE)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Objects.requireNonNullElse(properties.getProperty(name), "unknown");
  }
}
