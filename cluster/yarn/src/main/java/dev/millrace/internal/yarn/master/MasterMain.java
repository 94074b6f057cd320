package dev.millrace.internal.yarn.master;

import dev.millrace.internal.yarn.job.HadoopFiles;
import dev.millrace.internal.yarn.job.JobSpec;
import dev.millrace.internal.yarn.job.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/// An application master, as YARN starts it: in a directory that has its job and the configuration
/// of Hadoop.
public final class MasterMain {
  /// The variable with the staging directory.
  public static final String STAGING = "MILLRACE_YARN_STAGING";

  /// The variable with the principal of the keytab, where the master has one.
  public static final String PRINCIPAL = "MILLRACE_YARN_PRINCIPAL";

  /// The name of that keytab in the working directory of the master.
  public static final String KEYTAB = "master.keytab";

  private static final int FAILED = 1;

  private MasterMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    YarnConfiguration config = configuration();
    JobSpec job = JobSpec.of(Files.readString(Path.of(JobSpec.FILE)));
    ApplicationId id =
        ContainerId.fromString(variable(Environment.CONTAINER_ID.name()))
            .getApplicationAttemptId()
            .getApplicationId();
    org.apache.hadoop.fs.Path staged = new org.apache.hadoop.fs.Path(variable(STAGING));
    MasterLogin login = MasterLogin.of(System.getenv(PRINCIPAL), staged, config);
    Staging staging = new Staging(FileSystem.get(staged.toUri(), config), staged);
    MasterFiles files = new MasterFiles(staging, id, job);
    try (Master master = new Master(job, files, login, config)) {
      master.run(variable(Environment.NM_HOST.name()));
    } catch (ApplicationAttemptNotFoundException e) {
      System.err.println("Another master has taken this one's place: " + e.getMessage());
      System.exit(FAILED);
    } catch (YarnException | IOException e) {
      System.err.println("The master cannot go on: " + e);
      System.exit(FAILED);
    }
    System.exit(0); // threads of Hadoop's clients may be left
  }

  private static YarnConfiguration configuration() {
    YarnConfiguration config = new YarnConfiguration();
    config.addResource(new org.apache.hadoop.fs.Path(Path.of(HadoopFiles.ONE).toUri()));
    // A node manager that does not answer is one host of several: others are not to wait for it.
    config.setLong(YarnConfiguration.CLIENT_NM_CONNECT_MAX_WAIT_MS, 10_000);
    config.setLong(YarnConfiguration.CLIENT_NM_CONNECT_RETRY_INTERVAL_MS, 1_000);
    // While the resource manager is away there is nothing else to do.
    config.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, -1);
    config.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, 1_000);
    // By a thread of the client; else only once a connection was refused.
    config.setBoolean(
        CommonConfigurationKeysPublic.HADOOP_KERBEROS_KEYTAB_LOGIN_AUTORENEWAL_ENABLED, true);
    return config;
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException(
          "The variable %s is not set: this is started by YARN, not by hand.".formatted(name));
    }
    return value;
  }
}
