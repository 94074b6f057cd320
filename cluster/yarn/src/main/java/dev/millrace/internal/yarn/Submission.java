package dev.millrace.internal.yarn;

import dev.millrace.internal.yarn.fleet.FleetPolicy;
import dev.millrace.internal.yarn.job.ClassPath;
import dev.millrace.internal.yarn.job.HadoopFiles;
import dev.millrace.internal.yarn.job.JobFile;
import dev.millrace.internal.yarn.job.JobSpec;
import dev.millrace.internal.yarn.job.ShellLine;
import dev.millrace.internal.yarn.job.Staging;
import dev.millrace.internal.yarn.master.MasterMain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/// Copies to HDFS what a run needs, and hands it to YARN.
final class Submission {
  private static final Duration ATTEMPTS_WITHIN = Duration.ofMinutes(10);
  private static final double HEAP_OF_MASTER = 0.6;

  private final Session session;
  private final String name;
  private final SubmitCommand.Resources resources;
  private final @Nullable Keytab keytab;

  /// What each container runs.
  ///
  /// @param files for its working directory
  record Program(String classPath, List<Path> files, String main, List<String> arguments) {}

  /// @param keytab by which the master logs in; null if it has tokens only
  Submission(
      Session session, String name, SubmitCommand.Resources resources, @Nullable Keytab keytab) {
    this.session = session;
    this.name = name;
    this.resources = resources;
    this.keytab = keytab;
  }

  /// Submits an application, with as many processes as the resources say.
  ApplicationId submit(Program program, SortedMap<String, String> environment, FleetPolicy policy)
      throws YarnException, IOException {
    return submit(program, environment, policy, null);
  }

  /// Submits it with a process for each of these hosts.
  ApplicationId submitToEach(
      List<String> hosts,
      Program program,
      SortedMap<String, String> environment,
      FleetPolicy policy)
      throws YarnException, IOException {
    return submit(program, environment, policy, hosts);
  }

  private ApplicationId submit(
      Program program,
      SortedMap<String, String> environment,
      FleetPolicy policy,
      @Nullable List<String> each)
      throws YarnException, IOException {
    Path work = Files.createTempDirectory("millrace-yarn");
    try {
      List<JobFile> files = new ArrayList<>(jdk());
      String command = command(program, files, work);
      JobSpec job =
          new JobSpec(
              name,
              each == null ? resources.containers() : each.size(),
              resources.memoryMegabytes(),
              resources.cores(),
              command,
              environment,
              files,
              each == null ? hosts() : each,
              each != null,
              policy);
      return submit(job, work);
    } finally {
      delete(work);
    }
  }

  private List<JobFile> jdk() throws IOException {
    Path archive = resources.javaArchive;
    return archive == null
        ? List.of()
        : List.of(session.staging().upload(archive).unpackedAs(ShellLine.JDK));
  }

  /// Returns the line that runs a program, and adds the files that it needs.
  private String command(Program program, List<JobFile> files, Path work) throws IOException {
    List<String> path = new ArrayList<>(List.of("."));
    path.addAll(upload(program.classPath(), files, work));
    for (Path each : program.files()) {
      files.add(session.staging().upload(each));
    }
    return new ShellLine(resources.javaHome())
        .add("-Xmx%dm".formatted(Size.heapMegabytes(resources.memoryMegabytes())))
        .add("-Djava.io.tmpdir=./tmp", "--enable-native-access=ALL-UNNAMED")
        .add(resources.javaOptions)
        .add("-cp", String.join(":", path), program.main())
        .add(program.arguments())
        .text();
  }

  private List<String> upload(String classPath, List<JobFile> files, Path work) throws IOException {
    Map<String, Path> jars;
    try {
      jars = ClassPath.jars(classPath, work);
    } catch (IllegalArgumentException e) {
      throw new YarnProblem(Exit.USAGE, String.valueOf(e.getMessage()));
    }
    for (Map.Entry<String, Path> jar : jars.entrySet()) {
      JobFile there = session.staging().upload(jar.getValue());
      files.add(
          new JobFile(
              jar.getKey(), there.path(), there.sizeBytes(), there.modifiedMillis(), false));
    }
    return List.copyOf(jars.keySet());
  }

  /// Returns the hosts of the cluster that are there, the one with the most room first.
  private List<String> hosts() throws YarnException, IOException {
    return session.yarn().getNodeReports(NodeState.RUNNING).stream()
        .sorted(Comparator.comparingLong(Submission::usedMegabytes))
        .map(node -> node.getNodeId().getHost())
        .distinct()
        .toList();
  }

  private static long usedMegabytes(NodeReport node) {
    Resource used = node.getUsed();
    return used == null ? 0 : used.getMemorySize();
  }

  private ApplicationId submit(JobSpec job, Path work) throws YarnException, IOException {
    YarnClientApplication created = session.yarn().createApplication();
    ApplicationSubmissionContext context = created.getApplicationSubmissionContext();
    ApplicationId id = context.getApplicationId();
    context.setApplicationName(name);
    context.setApplicationType(Session.TYPE);
    context.setKeepContainersAcrossApplicationAttempts(true);
    context.setMaxAppAttempts(resources.attempts);
    context.setAttemptFailuresValidityInterval(ATTEMPTS_WITHIN.toMillis());
    context.setResource(Resource.newInstance(resources.masterMegabytes(), 1));
    if (resources.queue != null) {
      context.setQueue(resources.queue);
    }
    if (resources.priority != null) {
      context.setPriority(Priority.newInstance(resources.priority));
    }
    if (resources.label != null) {
      context.setNodeLabelExpression(resources.label);
    }
    boolean isNeeded = false; // else a keytab would be left there
    try {
      context.setAMContainerSpec(master(job, id, work));
      isNeeded = true; // YARN may have it even if its answer is lost
      return session.yarn().submitApplication(context);
    } catch (YarnException e) {
      isNeeded = false;
      throw e;
    } finally {
      if (!isNeeded) {
        session.staging().remove(session.staging().run(id));
      }
    }
  }

  private ContainerLaunchContext master(JobSpec job, ApplicationId id, Path work)
      throws IOException {
    Staging staging = session.staging();
    List<JobFile> files = new ArrayList<>(jdk());
    List<String> path = new ArrayList<>(List.of("."));
    path.addAll(upload(Objects.requireNonNull(System.getProperty("java.class.path")), files, work));
    org.apache.hadoop.fs.Path run = staging.run(id);
    files.add(staging.write(new org.apache.hadoop.fs.Path(run, JobSpec.FILE), job.text()));
    files.add(
        staging.write(
            new org.apache.hadoop.fs.Path(run, HadoopFiles.ONE),
            HadoopFiles.text(session.directory())));
    Map<String, LocalResource> local = new HashMap<>();
    files.forEach(file -> local.put(file.link(), file.resource()));
    Map<String, String> environment = new HashMap<>();
    environment.put(MasterMain.STAGING, staging.root().toString());
    if (keytab != null) {
      JobFile secret =
          staging.copySecret(keytab.file(), new org.apache.hadoop.fs.Path(run, MasterMain.KEYTAB));
      local.put(secret.link(), secret.resourceOfOneRun());
      environment.put(MasterMain.PRINCIPAL, keytab.principal());
    }
    if (!UserGroupInformation.isSecurityEnabled()) {
      environment.put("HADOOP_USER_NAME", Session.user());
    }
    long heap = (long) (resources.masterMegabytes() * HEAP_OF_MASTER);
    String line =
        new ShellLine(resources.javaHome())
            .add("-Xmx%dm".formatted(heap), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
            .add("-Djava.io.tmpdir=./tmp", "--enable-native-access=ALL-UNNAMED")
            .add("--sun-misc-unsafe-memory-access=allow")
            .add(resources.masterJavaOptions)
            .add("-cp", String.join(":", path), MasterMain.class.getName())
            .text();
    return ContainerLaunchContext.newInstance(
        local, environment, List.of(line), null, tokens(), null);
  }

  /// Returns what the master shows to HDFS where that asks who it is; null where it does not.
  private @Nullable ByteBuffer tokens() throws IOException {
    if (!UserGroupInformation.isSecurityEnabled()) {
      return null;
    }
    String renewer = session.config().get(YarnConfiguration.RM_PRINCIPAL);
    if (renewer == null || renewer.isEmpty()) {
      throw new YarnProblem(
          Exit.USAGE,
          "The cluster asks for Kerberos, and yarn-site.xml does not say who renews tokens: set %s to the principal of the resource manager."
              .formatted(YarnConfiguration.RM_PRINCIPAL));
    }
    Credentials credentials =
        new Credentials(UserGroupInformation.getCurrentUser().getCredentials());
    session.files().addDelegationTokens(renewer, credentials);
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      credentials.writeTokenStorageToStream(out);
      return ByteBuffer.wrap(out.getData(), 0, out.getLength());
    }
  }

  private static void delete(Path work) throws IOException {
    try (Stream<Path> found = Files.walk(work)) {
      for (Path each : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
