package dev.millrace.internal.yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.security.UserGroupInformation;
import picocli.CommandLine.Option;

/// As whom the command and the master log in where the cluster asks for Kerberos. One option
/// without the other is refused.
final class Keytab {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--principal",
      required = true,
      paramLabel = "NAME",
      description =
          "As whom this command and the application master log in by Kerberos, with --keytab; else"
              + " it is who has logged in by kinit, until the tokens that the master gets end.")
  private String principal;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--keytab",
      required = true,
      paramLabel = "FILE",
      description =
          "The keytab of --principal. It is copied to the staging directory, readable by you alone,"
              + " and to the host of the master, until the application ends.")
  private Path file;

  String principal() {
    return principal;
  }

  Path file() {
    return file;
  }

  /// Makes this whom the command acts as.
  ///
  /// @throws YarnProblem if that does not work
  void logIn() {
    if (!Files.isReadable(file)) {
      throw new YarnProblem(Exit.USAGE, "--keytab %s cannot be read.".formatted(file));
    }
    try {
      UserGroupInformation.loginUserFromKeytab(principal, file.toString());
    } catch (IOException e) {
      throw new YarnProblem(
          Exit.USAGE,
          "Kerberos does not let '%s' in with %s. 'klist -k' lists whose keys a keytab has. %s"
              .formatted(principal, file, e.getMessage()));
    }
  }
}
