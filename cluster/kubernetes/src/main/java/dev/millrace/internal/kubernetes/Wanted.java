package dev.millrace.internal.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// How an application is to run on Kubernetes.
///
/// @param name of the application's objects: lower-case letters, digits and hyphens
/// @param image that runs it
/// @param replicas how many processes
/// @param storage how much disk each has for its state, such as `10Gi`
/// @param storageClass of the disks; empty for that of the cluster
/// @param cpu for each process, such as `2` or `500m`
/// @param memory for each process, such as `2Gi`
/// @param settings of the application, by their keys
/// @param secrets settings whose values are in secrets
/// @param stop how long a process may take to stop: its `stop.timeout`
/// @param scaling between which numbers of processes the lag decides
/// @param monitored whether an operator of Prometheus is to ask for its metrics
public record Wanted(
    String name,
    String image,
    int replicas,
    String storage,
    String storageClass,
    String cpu,
    String memory,
    SortedMap<String, String> settings,
    List<Secret> secrets,
    Duration stop,
    Scaling scaling,
    boolean monitored) {
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,50}[a-z0-9])?");
  private static final Pattern QUANTITY =
      Pattern.compile("[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?");

  /// A setting whose value is in a secret.
  ///
  /// @param setting its key
  /// @param secret the name of the secret
  /// @param key in the secret
  public record Secret(String setting, String secret, String key) {}

  /// How many processes there are.
  ///
  /// @param least at any lag
  /// @param most at any lag; 0 for always as many as wanted
  /// @param lag records behind for each process
  public record Scaling(int least, int most, long lag) {
    /// Always as many as wanted.
    public static final Scaling NONE = new Scaling(0, 0, 0);

    boolean isWanted() {
      return most > 0;
    }
  }

  /// Copies what may change.
  public Wanted {
    settings = new TreeMap<>(settings);
    secrets = List.copyOf(secrets);
  }

  /// Returns what cannot work, in words for people; empty if all can.
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (!NAME.matcher(name).matches()) {
      problems.add(
          "The name '%s' must consist of at most 52 lower-case letters, digits and hyphens, and begin with a letter."
              .formatted(name));
    }
    if (image.isBlank()) {
      problems.add("There is no image.");
    }
    if (replicas < 1) {
      problems.add("There must be at least one process, not %d.".formatted(replicas));
    }
    Map.of("storage", storage, "cpu", cpu, "memory", memory)
        .forEach((what, quantity) -> {
          if (!QUANTITY.matcher(quantity).matches()) {
            problems.add(
                "The %s '%s' is no quantity such as 500m, 2 or 10Gi.".formatted(what, quantity));
          }
        });
    if (secrets.stream().noneMatch(each -> each.setting().equals("http.token"))) {
      problems.add(
          "Health and metrics are served to the whole cluster, so http.token must come from a"
              + " secret: give --secret http.token=SECRET/KEY.");
    }
    if (scaling.isWanted() && (scaling.least() < 1 || scaling.least() > scaling.most())) {
      problems.add(
          "Between %d and %d processes is no range.".formatted(scaling.least(), scaling.most()));
    }
    return problems;
  }
}
