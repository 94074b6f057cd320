package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.kubernetes.Base;
import dev.millrace.internal.kubernetes.Manifest;
import dev.millrace.internal.kubernetes.Wanted;
import dev.millrace.internal.kubernetes.Yaml;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Writes the objects of an application as YAML.
@Command(
    name = "manifest",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the objects of an application as YAML: a stateful set whose volumes hold the state, a"
          + " headless service, a disruption budget, settings, and a service account that may do"
          + " nothing; optionally what scales it by its lag, and what has Prometheus ask it.",
      "",
      "  millrace kubernetes manifest counting --image registry/counting:1"
          + " --set kafka.bootstrap.servers=kafka:9092 | kubectl apply -f -"
    })
final class KubernetesManifestCommand implements Callable<Integer> {
  private static final Pattern SETTING = Pattern.compile("([^=]+)=(.*)", Pattern.DOTALL);
  private static final Pattern SECRET = Pattern.compile("([^=]+)=([^/]+)/(.+)");
  private static final Pattern RANGE = Pattern.compile("([0-9]+)\\.\\.([0-9]+)");

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(paramLabel = "NAME", description = "The name of all objects.")
  private String name;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(names = "--image", required = true, description = "The image that runs the application.")
  private String image;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "How many processes; default: ${DEFAULT-VALUE}.")
  private int replicas = 2;

  @Option(
      names = "--storage",
      paramLabel = "SIZE",
      description = "The disk of each for its state; default: ${DEFAULT-VALUE}.")
  private String storage = "10Gi";

  @Option(
      names = "--storage-class",
      paramLabel = "NAME",
      description = "Of the disks; default: that of the cluster.")
  private String storageClass = "";

  @Option(names = "--cpu", description = "For each process; default: ${DEFAULT-VALUE}.")
  private String cpu = "1";

  @Option(names = "--memory", description = "For each process; default: ${DEFAULT-VALUE}.")
  private String memory = "2Gi";

  @Option(
      names = "--set",
      paramLabel = "SETTING=VALUE",
      description = "A setting of the application; may be given several times.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--secret",
      paramLabel = "SETTING=SECRET/KEY",
      description =
          "A setting whose value is in a secret, such as http.token, which is needed; may be given"
              + " several times.")
  private List<String> secrets = new ArrayList<>();

  @Option(
      names = "--stop-timeout",
      paramLabel = "SECONDS",
      description = "How long a process may take to stop; default: ${DEFAULT-VALUE}.")
  private int stopSeconds = 30;

  @Option(
      names = "--scale",
      paramLabel = "MIN..MAX",
      description = "Between how many processes the lag decides; default: always --replicas.")
  private @Nullable String scale;

  @Option(
      names = "--lag",
      paramLabel = "N",
      description = "Records behind for each process, with --scale; default: ${DEFAULT-VALUE}.")
  private long lag = 100_000;

  @Option(
      names = "--monitor",
      description = "Also write a ServiceMonitor, for the operator of Prometheus.")
  private boolean monitored;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description =
          "Write a base of kustomize into this directory, a file for each object, instead of"
              + " standard output. Files of the same names are replaced.")
  private @Nullable Path directory;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    Wanted wanted =
        new Wanted(
            name,
            image,
            replicas,
            storage,
            storageClass,
            cpu,
            memory,
            new TreeMap<>(settings()),
            secrets(),
            Duration.ofSeconds(stopSeconds),
            scaling(),
            monitored);
    Manifest manifest;
    try {
      manifest = new Manifest(wanted);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (directory == null) {
      out.print(Yaml.of(manifest.objects()));
    } else {
      writeTo(directory, Base.files(manifest.objects()), out);
    }
    out.flush();
    return ExitCode.DONE;
  }

  private static void writeTo(Path directory, Map<String, String> files, PrintWriter out) {
    files.forEach((name, text) -> {
      Path file = directory.resolve(name);
      try {
        Files.createDirectories(directory);
        Files.writeString(file, text);
      } catch (IOException e) {
        throw new UserException(ExitCode.FAILED, "%s cannot be written: %s".formatted(file, e));
      }
      out.println(file);
    });
  }

  private Map<String, String> settings() {
    Map<String, String> all = new TreeMap<>();
    for (String each : settings) {
      List<String> parts = parts(SETTING, "--set", each, "SETTING=VALUE");
      all.put(parts.get(0), parts.get(1));
    }
    return all;
  }

  private List<Wanted.Secret> secrets() {
    List<Wanted.Secret> all = new ArrayList<>();
    for (String each : secrets) {
      List<String> parts = parts(SECRET, "--secret", each, "SETTING=SECRET/KEY");
      all.add(new Wanted.Secret(parts.get(0), parts.get(1), parts.get(2)));
    }
    return all;
  }

  private Wanted.Scaling scaling() {
    if (scale == null) {
      return Wanted.Scaling.NONE;
    }
    List<String> parts = parts(RANGE, "--scale", scale, "MIN..MAX");
    return new Wanted.Scaling(Integer.parseInt(parts.get(0)), Integer.parseInt(parts.get(1)), lag);
  }

  /// Returns the groups of a form, all of which it must have.
  private List<String> parts(Pattern form, String option, String text, String expected) {
    Matcher found = form.matcher(text);
    if (!found.matches()) {
      throw new ParameterException(
          spec.commandLine(), "%s '%s' must be %s.".formatted(option, text, expected));
    }
    List<String> parts = new ArrayList<>();
    for (int group = 1; group <= found.groupCount(); group++) {
      parts.add(Objects.requireNonNull(found.group(group)));
    }
    return parts;
  }
}
