package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.Millrace;
import dev.millrace.config.ConfigLoader;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.cluster.place.Scaling;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs an application of the user's.
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an application until its input ends or it is stopped.",
      "",
      "The arguments after CLASS are settings of the run, such as --bootstrap HOST:PORT or"
          + " --embedded: the same that the application's own main method accepts. 'millrace run"
          + " CLASS --help' lists all of them.",
      "",
      "With --containers N it runs as N processes that share the tasks. One that dies is started"
          + " again, and one that 'millrace restart' asks to; when this process is stopped, it"
          + " stops them. Give --http 0 if they are to serve metrics, so that each takes a free"
          + " port."
    })
final class RunCommand implements Callable<Integer> {
  private static final String CONTAINERS = "--containers";
  private static final Pattern BOUNDS = Pattern.compile("([0-9]{1,4})(?:[.]{2}([0-9]{1,4}))?");

  @Mixin private final ApplicationOptions application = new ApplicationOptions();

  @Option(
      names = CONTAINERS,
      paramLabel = "N",
      description = {
        "How many processes to run; default: this one.",
        "With two numbers, as in 2..8, as many as the load needs: more if they were busy for more"
            + " than 80 % of the time of their workers for a minute, and fewer if for less than 40"
            + " % for ten minutes."
      })
  private String containers = "1";

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "0",
      paramLabel = "CLASS",
      description = "The full name of a class that implements StreamApplication.")
  private String className;

  @Parameters(
      index = "1..*",
      paramLabel = "FLAG",
      description = "Settings of the run, such as --embedded or --http 8080.")
  private final List<String> flags = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Scaling.Bounds bounds = bounds();
    if (bounds.most() > 1) {
      List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
      List<String> one = LocalContainers.command(options, Main.class, ofOne());
      LocalContainers running = new LocalContainers(one, System.out, System.err);
      running.want(bounds.least());
      if (bounds.most() == bounds.least()) {
        return running.run();
      }
      try (ContainerScaling scaling = scaling(running, bounds)) {
        scaling.start();
        return running.run();
      }
    }
    Millrace.run(application.load(className), flags.toArray(String[]::new));
    return ExitCode.DONE;
  }

  private Scaling.Bounds bounds() {
    Matcher given = BOUNDS.matcher(containers);
    if (!given.matches()) {
      throw wrong("give a number, or two as in 2..8");
    }
    try {
      int least = Integer.parseInt(Objects.requireNonNull(given.group(1)));
      String most = given.group(2);
      return new Scaling.Bounds(least, most == null ? least : Integer.parseInt(most));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String why) {
    return new ParameterException(
        spec.commandLine(), "%s=%s: %s".formatted(CONTAINERS, containers, why));
  }

  private ContainerScaling scaling(LocalContainers running, Scaling.Bounds bounds) {
    String name = application.load(className).name();
    JobConfig job = new ConfigLoader(Path.of(""), System.getenv()).load(flags).job();
    if (job.embedded().directory() != null) {
      throw wrong("each process would have a Kafka of its own with --embedded");
    }
    return new ContainerScaling(
        new Scaling(bounds, Scaling.Rule.defaults()),
        new ContainerLoad(name, job.kafka()),
        running,
        System.err);
  }

  /// Returns the arguments of the whole command, without how many processes to run.
  private List<String> ofOne() {
    List<String> given = new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
    for (int i = 0; i < given.size(); i++) {
      if (given.get(i).startsWith(CONTAINERS + "=")) {
        given.remove(i);
        return given;
      }
      if (given.get(i).equals(CONTAINERS)) {
        given.subList(i, i + 2).clear();
        return given;
      }
    }
    return given;
  }
}
