package dev.millrace.internal.yarn;

import dev.millrace.internal.yarn.fleet.FleetPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Submits an application to YARN.
@Command(
    name = "submit",
    mixinStandardHelpOptions = true,
    description = {
      "Copies an application to HDFS and has YARN run it in containers, until its input ends or it"
          + " is stopped by 'millrace yarn kill'.",
      "",
      "  millrace yarn submit counting --classpath 'target/lib/*' --containers 4 --memory 4GB"
          + " com.example.Counting --bootstrap kafka:9092",
      "",
      "What follows the main class are settings of the run, the same that it takes elsewhere."
    })
final class SubmitCommand implements Callable<Integer> {
  private static final Pattern VARIABLE = Pattern.compile("([^=]+)=(.*)", Pattern.DOTALL);
  private static final Duration LOOK = Duration.ofMillis(500);

  @Mixin private final HadoopOptions hadoop = new HadoopOptions();

  @Mixin private final Resources resources = new Resources();

  @ArgGroup(exclusive = false)
  private @Nullable Keytab keytab;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "APP", description = "The name of the application on YARN.")
  private String name;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "1", paramLabel = "CLASS", description = "The class with the main method.")
  private String main;

  @Parameters(index = "2..*", paramLabel = "FLAG", description = "Settings of the run.")
  private final List<String> flags = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = {"--classpath", "-cp"},
      required = true,
      paramLabel = "PATH",
      description =
          "Jars and directories with the application and all it needs, separated as in Java's"
              + " -classpath; DIR/* stands for every jar in DIR.")
  private String classPath;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description =
          "A file for the working directory of each process, such as millrace.yaml; may be given"
              + " several times.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description = "A variable of the environment of each process; may be given several times.")
  private List<String> variables = new ArrayList<>();

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "The directory for state on every host, which the user of the containers may write to;"
              + " default: ${DEFAULT-VALUE}.")
  private String state = "/var/lib/millrace";

  @Option(
      names = "--affinity-wait",
      paramLabel = "SECONDS",
      description =
          "How long a process is asked for only on the host that has its state; default:"
              + " ${DEFAULT-VALUE}.")
  private long affinitySeconds = FleetPolicy.defaults().affinityWait().toSeconds();

  @Option(
      names = "--host-failures",
      paramLabel = "N",
      description =
          "A host is avoided for ten minutes if so many processes have failed there within ten"
              + " minutes as soon as they were started; default: ${DEFAULT-VALUE}.")
  private int hostFailures = FleetPolicy.defaults().hostFailures();

  @Option(
      names = "--give-up-after",
      paramLabel = "N",
      description =
          "A process that has failed so often without living for a minute is not started again;"
              + " default: ${DEFAULT-VALUE}.")
  private int giveUpAfter = FleetPolicy.defaults().giveUpAfter();

  @Option(
      names = "--wait",
      description = "Wait until the application has ended; the status is 0 if it has in order.")
  private boolean wait;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws YarnException, IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Session session = hadoop.open(keytab)) {
      ApplicationReport running = session.living(name);
      if (running != null) {
        throw new YarnProblem(
            Exit.TAKEN,
            "'%s' runs on YARN already, as %s. Stop it by 'millrace yarn kill %1$s', or choose another name."
                .formatted(name, running.getApplicationId()));
      }
      FleetPolicy policy =
          FleetPolicy.defaults()
              .withAffinityWait(Duration.ofSeconds(affinitySeconds))
              .withFailures(hostFailures, giveUpAfter);
      Submission submission = new Submission(session, name, resources, keytab);
      ApplicationId id =
          submission.submit(
              new Submission.Program(classPath, files, main, flags), environment(), policy);
      out.println("Submitted '%s' as %s.".formatted(name, id));
      out.flush();
      return wait ? await(session, id, out) : Exit.DONE;
    }
  }

  private SortedMap<String, String> environment() {
    SortedMap<String, String> all = new TreeMap<>();
    all.put("MILLRACE_STATE_DIRECTORY", state);
    all.put("MILLRACE_MEMORY_LIMIT", resources.memoryMegabytes() + "MB");
    for (String each : variables) {
      Matcher found = VARIABLE.matcher(each);
      if (!found.matches()) {
        throw new YarnProblem(Exit.USAGE, "--env '%s' must be NAME=VALUE.".formatted(each));
      }
      all.put(Objects.requireNonNull(found.group(1)), Objects.requireNonNull(found.group(2)));
    }
    return all;
  }

  /// Waits for the end of a run.
  static int await(Session session, ApplicationId id, PrintWriter out)
      throws YarnException, IOException, InterruptedException {
    while (true) {
      ApplicationReport report = session.yarn().getApplicationReport(id);
      if (!Session.isAlive(report)) {
        out.println(StatusCommand.ending(report));
        out.flush();
        return switch (report.getFinalApplicationStatus()) {
          case SUCCEEDED -> Exit.DONE;
          case UNDEFINED, FAILED, KILLED, ENDED -> Exit.FAILED;
        };
      }
      Thread.sleep(LOOK);
    }
  }

  /// What is asked of YARN.
  static final class Resources {
    @Option(
        names = "--containers",
        paramLabel = "N",
        description = "How many processes; default: ${DEFAULT-VALUE}.")
    private int containers = 2;

    @Option(
        names = "--memory",
        paramLabel = "SIZE",
        description = "The memory of each; default: ${DEFAULT-VALUE}.")
    private String memory = "2GB";

    @Option(
        names = "--cores",
        paramLabel = "N",
        description = "The cores of each; default: ${DEFAULT-VALUE}.")
    private int cores = 1;

    @Option(
        names = "--master-memory",
        paramLabel = "SIZE",
        description = "The memory of the application master; default: ${DEFAULT-VALUE}.")
    private String masterMemory = "512MB";

    @Option(names = "--queue", description = "The queue; default: that of the cluster.")
    @Nullable String queue;

    @Option(
        names = "--priority",
        paramLabel = "N",
        description = "The priority in the queue; default: that of the queue.")
    @Nullable Integer priority;

    @Option(
        names = "--label",
        paramLabel = "LABEL",
        description = "Only nodes of this partition; default: that of the queue.")
    @Nullable String label;

    @Option(
        names = "--attempts",
        paramLabel = "N",
        description =
            "How often the application master may fail within ten minutes, but not more than the"
                + " cluster allows; default: ${DEFAULT-VALUE}.")
    int attempts = 5;

    @Option(
        names = "--java-home",
        paramLabel = "DIR",
        description =
            "The JDK, 25 or newer, on the hosts of the cluster; default: where the one of this"
                + " command is.")
    private @Nullable String javaHome;

    @Option(
        names = "--java-archive",
        paramLabel = "FILE",
        description =
            "A .tar.gz or .zip with such a JDK, which is copied to the hosts that need it, instead"
                + " of --java-home.")
    @Nullable Path javaArchive;

    @Option(
        names = "--java-option",
        paramLabel = "OPTION",
        description =
            "An option of the JVM of each process, such as -Xmx1g; may be given several times.")
    List<String> javaOptions = new ArrayList<>();

    @Option(
        names = "--master-java-option",
        paramLabel = "OPTION",
        description = "The same of the application master.")
    List<String> masterJavaOptions = new ArrayList<>();

    int containers() {
      if (containers < 1) {
        throw new YarnProblem(
            Exit.USAGE, "--containers is %d; it must be at least 1.".formatted(containers));
      }
      return containers;
    }

    long memoryMegabytes() {
      return Size.megabytes("--memory", memory);
    }

    long masterMegabytes() {
      return Size.megabytes("--master-memory", masterMemory);
    }

    int cores() {
      return cores;
    }

    /// Returns the JDK on the hosts; empty if it is brought along.
    String javaHome() {
      if (javaArchive != null) {
        return "";
      }
      return Objects.requireNonNullElse(
          javaHome, Objects.requireNonNull(System.getProperty("java.home")));
    }
  }
}
