package dev.millrace.cli.kubernetes;

import dev.millrace.kafka.embedded.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// The control plane of Kubernetes itself, on this machine: etcd, the server of its API, what
/// controls stateful sets, budgets, volumes and nodes, and the scheduler. What it lacks is a
/// [Kubelet].
///
/// `cluster/kubernetes/src/test/control-plane/build` builds it, which takes long.
final class ControlPlane implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final String DEFAULT = "/api/v1/namespaces/default";
  private static final String TOKEN = "a-token-of-a-test";

  private final Path directory;

  /// By their names, in the order in which they were started.
  private final LinkedHashMap<String, Program> processes = new LinkedHashMap<>();

  private final Map<String, List<String>> commands = new HashMap<>();
  private final Api api;

  /// Returns what is missing to run it on this machine, in words; empty if nothing is.
  static Optional<String> missing() {
    if (!Files.isExecutable(binary())) {
      return Optional.of(
          "there is no %s, which cluster/kubernetes/src/test/control-plane/build builds"
              .formatted(binary()));
    }
    if (!System.getProperty("user.name").equals("root")) {
      return Optional.of("it gives volumes to the users of pods, which only root may do");
    }
    return Stream.of("etcd", "bwrap", "setpriv")
        .filter(ControlPlane::isNowhere)
        .findFirst()
        .map(program ->
            "there is no program %s: apt-get install etcd-server bubblewrap util-linux"
                .formatted(program));
  }

  private static boolean isNowhere(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .noneMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  private static Path binary() {
    return Path.of(
        System.getProperty(
            "millrace.control-plane",
            System.getProperty("user.home") + "/.cache/millrace/control-plane-1.36.1"));
  }

  /// @param directory for what it keeps and says
  ControlPlane(Path directory) throws IOException, InterruptedException {
    this.directory = directory;
    int port = FreePorts.next();
    api = new Api(URI.create("https://" + HOST + ":" + port), TOKEN);
    try {
      start(port);
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  Api api() {
    return api;
  }

  /// Returns the command of `kubectl` for it.
  List<String> kubectl() {
    return List.of(
        binary().toString(), "kubectl", "--kubeconfig=" + directory.resolve("access.yaml"));
  }

  /// Kills a part of it as `kill -9` does: `apiserver`, `controller-manager`, `scheduler` or
  /// `etcd`.
  void kill(String part) throws InterruptedException {
    Objects.requireNonNull(processes.remove(part), part).kill();
  }

  /// Starts a part again that was killed, and waits until the API answers.
  void startAgain(String part) throws IOException, InterruptedException {
    run(part).await(() -> has(DEFAULT));
  }

  private void start(int port) throws IOException, InterruptedException {
    String store = etcd();
    Path key = directory.resolve("service-accounts.pem");
    Files.writeString(key, privateKey());
    Path tokens = directory.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",admin,admin,\"system:masters\"\n");
    Program server =
        part(
            "apiserver",
            "--etcd-servers=" + store,
            "--bind-address=" + HOST,
            "--secure-port=" + port,
            "--service-cluster-ip-range=10.0.0.0/24",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-signing-key-file=" + key,
            "--service-account-key-file=" + key,
            "--token-auth-file=" + tokens,
            "--authorization-mode=RBAC");
    server.await(() -> has(DEFAULT));
    Path access = directory.resolve("access.yaml");
    Files.writeString(
        access,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: test, cluster: {server: 'https://%s:%d', insecure-skip-tls-verify: true}}]
        users: [{name: test, user: {token: %s}}]
        contexts: [{name: test, context: {cluster: test, user: test}}]
        current-context: test
        """
            .formatted(HOST, port, TOKEN));
    part(
        "controller-manager",
        "--kubeconfig=" + access,
        "--authentication-kubeconfig=" + access,
        "--authorization-kubeconfig=" + access,
        "--service-account-private-key-file=" + key,
        "--leader-elect=false",
        "--node-monitor-period=1s",
        "--node-monitor-grace-period=20s",
        "--horizontal-pod-autoscaler-sync-period=2s",
        "--bind-address=" + HOST,
        "--secure-port=" + FreePorts.next());
    part(
        "scheduler",
        "--kubeconfig=" + access,
        "--authentication-kubeconfig=" + access,
        "--authorization-kubeconfig=" + access,
        "--leader-elect=false",
        "--bind-address=" + HOST,
        "--secure-port=" + FreePorts.next());
    // Pods may be created once their account is there.
    server.await(() -> has(DEFAULT + "/serviceaccounts/default"));
  }

  private String etcd() throws IOException {
    String clients = "http://" + HOST + ":" + FreePorts.next();
    String peers = "http://" + HOST + ":" + FreePorts.next();
    Path data = directory.resolve("etcd");
    commands.put(
        "etcd",
        List.of(
            "etcd",
            "--name=test",
            "--data-dir=" + data,
            "--listen-client-urls=" + clients,
            "--advertise-client-urls=" + clients,
            "--listen-peer-urls=" + peers,
            "--initial-advertise-peer-urls=" + peers,
            "--initial-cluster=test=" + peers));
    run("etcd");
    return clients;
  }

  private Program part(String part, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(binary().toString(), part));
    command.add("--cert-dir=" + directory.resolve(part));
    command.addAll(List.of(options));
    commands.put(part, command);
    return run(part);
  }

  private Program run(String part) throws IOException {
    Path log = directory.resolve(part + ".log");
    Program process = Program.start(commands.get(part), directory, log);
    processes.put(part, process);
    return process;
  }

  private boolean has(String path) {
    try {
      return api.has(path);
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// With which tokens of service accounts are signed.
  private static String privateKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2_048);
      byte[] encoded = generator.generateKeyPair().getPrivate().getEncoded();
      String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
      return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("There is no RSA.", e);
    }
  }

  /// Ends its processes, the last one first.
  @Override
  public void close() {
    processes.reversed().values().forEach(Program::close);
  }
}
