package dev.millrace.cli.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One pod on a node: a process in name spaces of its own, with one container.
final class Pod {
  private static final String PODS = "/api/v1/namespaces/default/pods/";
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final Api api;
  private final Path directory;
  private final String address;
  private final Image image;
  private final String id;
  private final String name;
  private final String node;
  private final JsonNode container;
  private final Path settings;

  private @Nullable Process process;
  private @Nullable Probes probes;
  private String said = "";
  private Duration pause = FIRST_PAUSE;
  private long startNanos = System.nanoTime();
  private Instant since = Instant.now();
  private int restarts;
  private @Nullable Integer lastStatus;
  private long killAtNanos;
  private boolean ending;
  private boolean killed;
  private boolean gone;

  /// How a container has ended.
  ///
  /// @param pod its name
  /// @param status of the process
  /// @param asked whether its pod was to end
  record End(String pod, int status, boolean asked) {}

  Pod(Api api, JsonNode object, Path directory, String address, Map<String, Image> images)
      throws IOException, InterruptedException {
    this.api = api;
    this.directory = directory;
    this.address = address;
    id = object.at("/metadata/uid").asString();
    name = object.at("/metadata/name").asString();
    node = object.at("/spec/nodeName").asString();
    container = object.at("/spec/containers/0");
    String wanted = container.get("image").asString();
    image =
        Objects.requireNonNull(
            images.get(wanted), () -> "Pod %s wants the image %s".formatted(name, wanted));
    settings = Files.createDirectories(home().resolve("settings"));
  }

  String id() {
    return id;
  }

  String name() {
    return name;
  }

  String node() {
    return node;
  }

  boolean isEnding() {
    return ending;
  }

  private Path home() {
    return directory.resolve("pods").resolve(name + "-" + id);
  }

  /// Does what is to be done at this moment, and reports what is new.
  ///
  /// @param object the pod as the control plane has it
  /// @param ends gets how a container has ended
  void step(JsonNode object, List<End> ends) throws IOException, InterruptedException {
    boolean toEnd = !object.at("/metadata/deletionTimestamp").isMissingNode();
    if (toEnd && !ending) {
      ending = true;
      long grace = object.at("/metadata/deletionGracePeriodSeconds").asLong();
      killAtNanos = System.nanoTime() + Duration.ofSeconds(grace).toNanos();
      child().forEach(ProcessHandle::destroy);
    }
    Process running = process;
    if (running != null && !running.isAlive()) {
      ended(running.exitValue(), ends);
    }
    if (ending) {
      end();
      return;
    }
    writeSettings(object);
    if (process == null && startNanos - System.nanoTime() <= 0) {
      start(object);
    }
    if (probes != null && probes.step()) {
      // It does not live any more, says its probe.
      child().forEach(ProcessHandle::destroy);
      probes = null;
    }
    report();
  }

  private void ended(int status, List<End> ends) {
    if (!killed) {
      ends.add(new End(name, status, ending));
    }
    killed = false;
    process = null;
    probes = null;
    lastStatus = status;
    restarts++;
    since = Instant.now();
    startNanos = System.nanoTime() + pause.toNanos();
    pause = pause.multipliedBy(2);
    pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  private void end() throws IOException, InterruptedException {
    if (process != null && killAtNanos - System.nanoTime() <= 0) {
      child().forEach(ProcessHandle::destroyForcibly);
    } else if (process == null && !gone) {
      gone = true;
      api.delete(PODS + name, Map.of("gracePeriodSeconds", 0, "preconditions", Map.of("uid", id)));
    }
  }

  /// Kills its process.
  void kill() {
    killed = true;
    child().forEach(ProcessHandle::destroyForcibly);
  }

  /// Its own process, in the innermost name space: what was started is the program that made them.
  private Stream<ProcessHandle> child() {
    return process == null
        ? Stream.of()
        : process.descendants().filter(each -> each.children().findAny().isEmpty());
  }

  private void start(JsonNode object) throws IOException, InterruptedException {
    Path temporary = ownedByUser(object, home().resolve("tmp-" + restarts));
    List<String> command =
        new ArrayList<>(
            List.of(
                "bwrap",
                "--die-with-parent",
                "--unshare-pid",
                "--unshare-uts",
                "--hostname",
                name));
    bind(command, "/usr", Path.of("/usr"), true);
    String java = System.getProperty("java.home");
    if (!java.startsWith("/usr/")) {
      bind(command, java, Path.of(java), true);
    }
    for (String each : List.of("bin", "lib", "lib64", "sbin")) {
      command.addAll(List.of("--symlink", "usr/" + each, "/" + each));
    }
    command.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
    for (String each : List.of("/etc", "/var", "/var/lib")) {
      command.addAll(List.of("--perms", "0755", "--dir", each)); // else for root alone
    }
    bind(command, "/etc/hosts", hosts(), true);
    bind(command, "/app", image.files(), true);
    for (JsonNode mount : container.get("volumeMounts")) {
      String volume = mount.get("name").asString();
      Path path = volume.equals("tmp") ? temporary : volume(object, volume);
      bind(
          command,
          mount.get("mountPath").asString(),
          path,
          mount.path("readOnly").asBoolean(false));
    }
    command.add("--clearenv");
    environment(object).forEach((key, value) -> command.addAll(List.of("--setenv", key, value)));
    String user = object.at("/spec/securityContext/runAsUser").asString();
    command.addAll(
        List.of("setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs"));
    command.addAll(image.command());
    container.path("args").forEach(each -> command.add(each.asString()));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(home().resolve("log-" + restarts).toFile())
            .start();
    process.getOutputStream().close();
    since = Instant.now();
    probes = new Probes(container, address);
  }

  private static void bind(List<String> command, String at, Path path, boolean readOnly) {
    command.addAll(List.of(readOnly ? "--ro-bind" : "--bind", path.toString(), at));
  }

  private Path hosts() throws IOException {
    Path hosts = home().resolve("hosts");
    Files.writeString(hosts, "127.0.0.1 localhost\n%s %s\n".formatted(address, name));
    return hosts;
  }

  private Path volume(JsonNode object, String volume) throws IOException {
    for (JsonNode each : object.at("/spec/volumes")) {
      if (each.get("name").asString().equals(volume)) {
        JsonNode claim = each.at("/persistentVolumeClaim/claimName");
        return claim.isMissingNode()
            ? settings
            : ownedByUser(object, Kubelet.volume(directory, claim.asString()));
      }
    }
    throw new IllegalStateException("Pod %s has no volume %s".formatted(name, volume));
  }

  private static Path ownedByUser(JsonNode object, Path path) throws IOException {
    Files.createDirectories(path);
    int group = object.at("/spec/securityContext/fsGroup").asInt();
    Files.setAttribute(path, "unix:uid", object.at("/spec/securityContext/runAsUser").asInt());
    Files.setAttribute(path, "unix:gid", group);
    return path;
  }

  private Map<String, String> environment(JsonNode object)
      throws IOException, InterruptedException {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("PATH", System.getProperty("java.home") + "/bin:/usr/bin");
    all.put("HOSTNAME", object.at("/metadata/name").asString());
    for (JsonNode each : container.path("env")) {
      JsonNode secret = each.at("/valueFrom/secretKeyRef");
      JsonNode data =
          api.get("/api/v1/namespaces/default/secrets/" + secret.get("name").asString())
              .get("data");
      byte[] value = Base64.getDecoder().decode(data.get(secret.get("key").asString()).asString());
      all.put(each.get("name").asString(), new String(value, StandardCharsets.UTF_8));
    }
    // In place of a network of its own.
    all.put("MILLRACE_HTTP_HOST", address);
    return all;
  }

  /// Files of the map of settings, which follow it while the pod runs.
  private void writeSettings(JsonNode object) throws IOException, InterruptedException {
    for (JsonNode volume : object.at("/spec/volumes")) {
      JsonNode map = volume.at("/configMap/name");
      if (map.isMissingNode()) {
        continue;
      }
      JsonNode data =
          api.get("/api/v1/namespaces/default/configmaps/" + map.asString()).get("data");
      for (Map.Entry<String, JsonNode> each : data.properties()) {
        Path file = settings.resolve(each.getKey());
        String text = each.getValue().asString();
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
          Path next = Files.writeString(home().resolve("next-settings"), text);
          Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
  }

  private void report() throws IOException, InterruptedException {
    boolean ready = probes != null && probes.isReady();
    boolean started = probes != null && probes.hasStarted();
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("name", container.get("name").asString());
    status.put("image", container.get("image").asString());
    status.put("imageID", container.get("image").asString());
    status.put("ready", ready);
    status.put("started", started);
    status.put("restartCount", restarts);
    status.put(
        "state",
        process == null
            ? Map.of("waiting", Map.of("reason", restarts == 0 ? "Creating" : "CrashLoopBackOff"))
            : Map.of("running", Map.of("startedAt", since.toString())));
    if (lastStatus != null) {
      status.put("lastState", Map.of("terminated", Map.of("exitCode", lastStatus)));
    }
    Map<String, Object> all =
        Map.of(
            "phase",
            process == null && restarts == 0 ? "Pending" : "Running",
            "podIP",
            address,
            "hostIP",
            "127.0.0.1",
            "conditions",
            List.of(
                condition("Initialized", true),
                condition("ContainersReady", ready),
                condition("Ready", ready)),
            "containerStatuses",
            List.of(status));
    String text = Api.JSON.writeValueAsString(status);
    if (!text.equals(said)) {
      api.patch(PODS + name + "/status", Api.STRATEGIC, Map.of("status", all));
      said = text;
    }
  }

  private static Map<String, Object> condition(String type, boolean holds) {
    return Map.of(
        "type",
        type,
        "status",
        holds ? "True" : "False",
        "lastTransitionTime",
        Instant.now().toString());
  }

  /// Ends its process at once.
  void close() {
    killed = true;
    child().forEach(ProcessHandle::destroyForcibly);
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
