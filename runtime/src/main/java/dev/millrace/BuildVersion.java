package dev.millrace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/// Version and commit of this build of Millrace.
public final class BuildVersion {
  private static final String RESOURCE = "build.properties";

  private BuildVersion() {}

  /// Returns the version of the artifacts.
  public static String version() {
    return property("version");
  }

  /// Returns the commit from which it was built, or `unknown` if it was not built in a clone.
  public static String commit() {
    return property("commit");
  }

  /// Returns version and commit as text for people.
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
