package dev.millrace.internal.yarn.cluster;

import dev.millrace.kafka.embedded.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/// A resource manager, HDFS with two data nodes, and node managers on hosts with names of their
/// own, each in a process. The names are those of a file that only these processes and masters
/// read, of addresses of the loopback interface.
public final class HadoopCluster implements AutoCloseable {
  public static final List<String> HOSTS = List.of("host-a.test", "host-b.test");

  private static final int PATIENCE_SECONDS = 60;

  private static final String MAIN = "dev.millrace.internal.yarn.YarnMain";

  private final Path directory;
  private final Path config;
  private final Path names;
  private final Jvm daemons;
  private final Map<String, Jvm> nodes = new TreeMap<>();
  private final List<String> options;
  private Map<String, String> environment = Map.of("HADOOP_USER_NAME", HadoopDaemons.USER);
  private int commands;

  /// @param settings over those that are set here
  public HadoopCluster(Path directory, Map<String, String> settings) throws IOException {
    this(directory, settings, List.of());
  }

  /// @param options of each JVM of the cluster and of commands
  public HadoopCluster(Path directory, Map<String, String> settings, List<String> options)
      throws IOException {
    this.directory = directory;
    this.options = options;
    config = Files.createDirectories(directory.resolve("conf"));
    names = directory.resolve("hosts");
    writeNames();
    writeConfig(settings);
    daemons = daemon("daemons", HadoopDaemons.class.getName(), List.of(config.toString()));
    daemons.await(HadoopDaemons.READY);
    for (String host : HOSTS) {
      startNode(host);
    }
    for (Jvm node : nodes.values()) {
      node.await(HadoopDaemons.READY);
    }
  }

  private void writeNames() throws IOException {
    StringBuilder text = new StringBuilder("127.0.0.1 localhost\n");
    text.append("127.0.0.1 ").append(InetAddress.getLocalHost().getHostName()).append('\n');
    for (String host : HOSTS) {
      text.append(address(host)).append(' ').append(host).append('\n');
    }
    Files.writeString(names, text);
  }

  private static String address(String host) {
    return "127.0.0." + (2 + HOSTS.indexOf(host));
  }

  private void writeConfig(Map<String, String> settings) throws IOException {
    int nameNode = FreePorts.next();
    Configuration core = new Configuration(false);
    core.set("fs.defaultFS", "hdfs://127.0.0.1:" + nameNode);
    core.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    core.set("dfs.replication", "2");
    settings.forEach(core::set);
    write(core, "core-site.xml");
    Configuration yarn = new Configuration(false);
    yarn.set(HadoopDaemons.NAME_NODE_PORT, Integer.toString(nameNode));
    yarn.set("hdfs.minidfs.basedir", directory.resolve("hdfs").toString());
    yarn.set("yarn.resourcemanager.hostname", "127.0.0.1");
    for (String address :
        List.of(
            "address",
            "scheduler.address",
            "resource-tracker.address",
            "admin.address",
            "webapp.address")) {
      yarn.set("yarn.resourcemanager." + address, "127.0.0.1:" + FreePorts.next());
    }
    yarn.set("yarn.resourcemanager.am.max-attempts", "5");
    yarn.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    yarn.set("yarn.nm.liveness-monitor.expiry-interval-ms", "5000");
    yarn.set("yarn.am.liveness-monitor.expiry-interval-ms", "120000");
    yarn.set("yarn.scheduler.minimum-allocation-mb", "128");
    yarn.set("yarn.scheduler.capacity.root.queues", "default,other");
    yarn.set("yarn.scheduler.capacity.root.default.capacity", "50");
    yarn.set("yarn.scheduler.capacity.root.default.maximum-capacity", "100");
    yarn.set("yarn.scheduler.capacity.root.default.user-limit-factor", "10");
    yarn.set("yarn.scheduler.capacity.root.other.capacity", "50");
    yarn.set("yarn.scheduler.capacity.root.other.maximum-capacity", "100");
    yarn.set("yarn.scheduler.capacity.root.other.user-limit-factor", "10");
    yarn.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.9");
    yarn.set("yarn.nodemanager.resource.memory-mb", "3072");
    yarn.set("yarn.nodemanager.resource.cpu-vcores", "16");
    yarn.set("yarn.nodemanager.vmem-check-enabled", "false");
    yarn.set("yarn.nodemanager.pmem-check-enabled", "false");
    yarn.set("yarn.nodemanager.delete.debug-delay-sec", "0");
    yarn.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    settings.forEach(yarn::set);
    write(yarn, "yarn-site.xml");
  }

  private void write(Configuration site, String name) throws IOException {
    try (OutputStream out = Files.newOutputStream(config.resolve(name))) {
      site.writeXml(out);
    }
  }

  private Jvm daemon(String name, String main, List<String> arguments) throws IOException {
    List<String> jvm = new ArrayList<>(List.of("-Xmx512m", namesOption()));
    jvm.addAll(options);
    return new Jvm(
        directory.resolve(name + ".err"),
        jvm,
        // What fetches files of containers reads core-site.xml from there.
        config + File.pathSeparator + System.getProperty("java.class.path"),
        main,
        arguments);
  }

  /// Returns the option by which a JVM knows the hosts.
  public String namesOption() {
    return "-Djdk.net.hosts.file=" + names;
  }

  /// Returns the directory with the configuration of Hadoop.
  public Path config() {
    return config;
  }

  public void startNode(String host) throws IOException {
    List<String> arguments =
        List.of(config.toString(), host, address(host), directory.resolve(host).toString());
    nodes.put(host, daemon(host, NodeDaemon.class.getName(), arguments));
  }

  /// Ends a node manager as `kill -9` does; what it has started goes on.
  public void killNode(String host) throws InterruptedException {
    nodes.remove(host).close();
  }

  /// Returns the parts of the class path of this test that the command and masters have.
  public static String commandClassPath() {
    List<String> wanted =
        List.of(
            "hadoop-client-api",
            "hadoop-client-runtime",
            "picocli",
            "slf4j-api",
            "logback",
            "jspecify",
            "snappy",
            "commons-logging",
            "reload4j");
    return classPath(entry ->
        isOwnClasses(entry)
            || wanted.stream().anyMatch(Path.of(entry).getFileName().toString()::startsWith));
  }

  private static boolean isOwnClasses(String entry) {
    return Path.of(entry).endsWith(Path.of("yarn", "target", "classes"))
        || Path.of(entry).equals(Path.of("target", "classes"));
  }

  /// Returns the parts of the class path of this test that an application has.
  public static String applicationClassPath() {
    List<String> unwanted =
        List.of(
            "hadoop-",
            "kerb",
            "picocli",
            "junit",
            "kafka_2.13",
            "scala",
            "kafka-server-4",
            "slf4j-nop");
    return classPath(entry ->
        !isOwnClasses(entry)
            && unwanted.stream().noneMatch(Path.of(entry).getFileName().toString()::startsWith));
  }

  /// Returns the parts of the class path of this test that the command `millrace` has.
  public static String millraceClassPath() {
    return classPath(entry ->
        !isOwnClasses(entry)
            && !entry.endsWith("test-classes")
            && !Path.of(entry).getFileName().toString().startsWith("hadoop-"));
  }

  private static String classPath(java.util.function.Predicate<String> wanted) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .filter(wanted)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /// What a command has said and its status.
  public record Said(int status, String out, String err) {}

  /// Commands have this environment from now on.
  public void commandsHave(Map<String, String> variables) {
    environment = Map.copyOf(variables);
  }

  /// Runs a command as a user does, in a JVM of its own.
  public Said command(String... arguments) throws IOException, InterruptedException {
    return command(List.of(), arguments);
  }

  /// @param more options of the JVM
  public Said command(List<String> more, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(1, List.of("--conf", config.toString()));
    List<String> jvm = new ArrayList<>(List.of("-Xmx256m", namesOption()));
    jvm.addAll(options);
    jvm.addAll(more);
    Path errors = directory.resolve("command-%d.err".formatted(commands++));
    try (Jvm command = new Jvm(errors, jvm, commandClassPath(), MAIN, all, environment)) {
      String out = command.output();
      return new Said(command.end(PATIENCE_SECONDS), out, Files.readString(errors));
    }
  }

  /// Returns the files that a host has fetched for containers, by how their names begin.
  public List<Path> localized(String host, String begin) {
    return found(directory.resolve(host).resolve("local"), begin);
  }

  /// Returns what masters and processes have written to standard error.
  public String containerErrors() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String host : HOSTS) {
      for (Path each : found(directory.resolve(host).resolve("logs"), "stderr")) {
        all.append(Files.readString(each));
      }
    }
    return all.toString();
  }

  private static List<Path> found(Path root, String begin) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isRegularFile() && file.getFileName().toString().startsWith(begin)) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
              return FileVisitResult.CONTINUE; // it was removed meanwhile
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /// Returns what the daemons have complained of, for messages.
  public String complaints() throws IOException {
    StringBuilder all = new StringBuilder(daemons.errors());
    for (Jvm node : nodes.values()) {
      all.append(node.errors());
    }
    return all.toString();
  }

  @Override
  public void close() throws InterruptedException {
    for (Jvm node : nodes.values()) {
      node.close();
    }
    daemons.close();
  }
}
