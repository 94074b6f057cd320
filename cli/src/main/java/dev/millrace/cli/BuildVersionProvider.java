package dev.millrace.cli;

import dev.millrace.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/// Provides the output of `--version`.
final class BuildVersionProvider implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      BuildVersion.text(), "JDK " + Runtime.version() + " in " + System.getProperty("java.home")
    };
  }
}
