package dev.millrace.internal.yarn;

import dev.millrace.internal.yarn.job.HadoopFiles;
import dev.millrace.internal.yarn.job.Staging;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/// A command's connections to a Hadoop cluster.
final class Session implements AutoCloseable {
  /// What Millrace's applications are known by.
  static final String TYPE = "MILLRACE";

  private static final String ID = "application_";

  /// How long a person waits for a resource manager that is away.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Path directory;
  private final YarnConfiguration config;
  private final FileSystem files;
  private final Staging staging;
  private final YarnClient yarn;

  /// @param given the directory of the configuration; null for the usual ones
  /// @param place the staging directory; null for the one in the user's home
  /// @param keytab null for who has logged in
  Session(@Nullable Path given, @Nullable String place, @Nullable Keytab keytab)
      throws IOException {
    Path found = HadoopFiles.find(given, System.getenv());
    if (found == null) {
      throw new YarnProblem(
          Exit.USAGE,
          given == null
              ? "It is not known where the cluster is. Name the directory with its core-site.xml"
                  + " and yarn-site.xml by --conf or HADOOP_CONF_DIR."
              : "%s has no core-site.xml, hdfs-site.xml or yarn-site.xml.".formatted(given));
    }
    directory = found;
    config = HadoopFiles.read(found);
    config.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, PATIENCE.toMillis());
    config.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, RETRY.toMillis());
    // Each of those tries has tries of its own.
    config.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    logIn(config, keytab);
    org.apache.hadoop.fs.Path wanted = place == null ? null : new org.apache.hadoop.fs.Path(place);
    files = wanted == null ? FileSystem.get(config) : wanted.getFileSystem(config);
    if (wanted == null && "file".equals(files.getUri().getScheme())) {
      throw new YarnProblem(
          Exit.USAGE,
          "%s does not say where HDFS is (fs.defaultFS), and a directory of this machine is not seen by the hosts of the cluster. Correct core-site.xml, or name one that all see by --staging."
              .formatted(found));
    }
    staging = new Staging(files, wanted == null ? Staging.usual(files) : wanted);
    yarn = YarnClient.createYarnClient();
    yarn.init(config);
    yarn.start();
  }

  private static void logIn(YarnConfiguration config, @Nullable Keytab keytab) throws IOException {
    try {
      UserGroupInformation.setConfiguration(config);
    } catch (IllegalArgumentException e) {
      throw new YarnProblem(
          Exit.USAGE,
          "The cluster asks for Kerberos, which is not set up here: see krb5.conf. %s"
              .formatted(e.getMessage()));
    }
    if (!UserGroupInformation.isSecurityEnabled()) {
      if (keytab != null) {
        throw new YarnProblem(
            Exit.USAGE,
            "--keytab is for clusters that ask for Kerberos, and core-site.xml does not say that this one does (%s). Leave it out, or name another configuration by --conf."
                .formatted(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION));
      }
      return;
    }
    if (keytab != null) {
      keytab.logIn();
      return;
    }
    UserGroupInformation user = UserGroupInformation.getLoginUser();
    if (!user.hasKerberosCredentials() && user.getTokens().isEmpty()) {
      throw new YarnProblem(
          Exit.USAGE,
          "The cluster asks for Kerberos, and %s has no ticket that is valid. Log in by 'kinit', or submit with --principal and --keytab."
              .formatted(user.getShortUserName()));
    }
  }

  Path directory() {
    return directory;
  }

  YarnConfiguration config() {
    return config;
  }

  FileSystem files() {
    return files;
  }

  Staging staging() {
    return staging;
  }

  YarnClient yarn() {
    return yarn;
  }

  /// Returns an application by its name or its id on YARN; of several runs the one that lives, else
  /// the last one.
  ///
  /// @throws YarnProblem if there is none
  ApplicationReport find(String name) throws YarnException, IOException {
    if (name.startsWith(ID)) {
      return yarn.getApplicationReport(ApplicationId.fromString(name));
    }
    ApplicationReport last = last(name);
    if (last == null) {
      throw new YarnProblem(
          Exit.USAGE,
          "YARN knows no application '%s' of user %s that Millrace has submitted. 'yarn application -list -appStates ALL -appTypes %s' lists all; name one by its id if it is another user's."
              .formatted(name, user(), TYPE));
    }
    return last;
  }

  private @Nullable ApplicationReport last(String name) throws YarnException, IOException {
    Comparator<ApplicationReport> living = Comparator.comparing(Session::isAlive);
    return runs(EnumSet.allOf(YarnApplicationState.class)).stream()
        .filter(each -> each.getName().equals(name))
        .max(living.thenComparing(ApplicationReport::getApplicationId))
        .orElse(null);
  }

  /// Returns the run of an application that lives; null if none does.
  @Nullable ApplicationReport living(String name) throws YarnException, IOException {
    ApplicationReport last = last(name);
    return last != null && isAlive(last) ? last : null;
  }

  /// Returns the runs of this user's applications in some states.
  List<ApplicationReport> runs(EnumSet<YarnApplicationState> states)
      throws YarnException, IOException {
    String user = user();
    return yarn.getApplications(Set.of(TYPE), states).stream()
        .filter(each -> each.getUser().equals(user))
        .toList();
  }

  static boolean isAlive(ApplicationReport report) {
    return switch (report.getYarnApplicationState()) {
      case NEW, NEW_SAVING, SUBMITTED, ACCEPTED, RUNNING -> true;
      case FINISHED, FAILED, KILLED -> false;
    };
  }

  static String user() throws IOException {
    return UserGroupInformation.getCurrentUser().getShortUserName();
  }

  @Override
  public void close() throws IOException {
    yarn.stop();
    files.close();
  }
}
