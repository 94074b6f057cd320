package dev.millrace.cli.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// Runs the pods of some nodes as processes of this machine, as far as the manifests of Millrace
/// need it: their volumes, settings and secrets, their probes, their graceful end, and containers
/// that are started again. It also makes the volumes that are claimed, which can be used on every
/// node, as disks of a network can.
///
/// All pods have the network of this machine, each an address of 127.0.0.0/8 of its own; so their
/// processes are told to listen at that, by a variable.
final class Kubelet implements AutoCloseable {
  private static final String NODES = "/api/v1/nodes";
  private static final String STORAGE = "test";
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration HEARTBEAT = Duration.ofSeconds(2);

  private final Api api;
  private final Path directory;
  private final Map<String, Image> images;
  private final Thread thread = new Thread(this::run, "kubelet");

  private final Set<String> nodes = new TreeSet<>();

  /// By their ids.
  private final Map<String, Pod> pods = new HashMap<>();

  private final Set<String> volumes = new HashSet<>();
  private final List<Pod.End> ends = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  private int addresses;
  private long nextHeartbeatNanos = System.nanoTime();
  private boolean closed;

  /// @param directory for what pods have and say
  Kubelet(Api api, Path directory, Map<String, Image> images)
      throws IOException, InterruptedException {
    this.api = api;
    this.directory = directory;
    this.images = Map.copyOf(images);
    api.create(
        "/apis/storage.k8s.io/v1/storageclasses",
        Map.of(
            "metadata",
            Map.of(
                "name",
                STORAGE,
                "annotations",
                Map.of("storageclass.kubernetes.io/is-default-class", "true")),
            "provisioner",
            "millrace.dev/test"));
    thread.start();
  }

  /// Adds a node with some room.
  synchronized void add(String name) throws IOException, InterruptedException {
    Map<String, String> room = Map.of("cpu", "8", "memory", "16Gi", "pods", "20");
    api.create(
        NODES,
        Map.of(
            "metadata",
            Map.of("name", name, "labels", Map.of("kubernetes.io/hostname", name)),
            "status",
            Map.of("capacity", room, "allocatable", room, "conditions", List.of(ready()))));
    nodes.add(name);
  }

  /// Has a node be gone with all that runs on it, without a word.
  synchronized void lose(String name) {
    nodes.remove(name);
    pods.values()
        .removeIf(pod -> {
          boolean there = pod.node().equals(name);
          if (there) {
            pod.close();
          }
          return there;
        });
  }

  /// Kills the process of a pod, as `kill -9` does.
  synchronized void kill(String pod) {
    pods.values().stream()
        .filter(each -> each.name().equals(pod) && !each.isEnding())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("There is no pod " + pod))
        .kill();
  }

  /// Returns how containers have ended up to now that were not killed by the test, in their order.
  synchronized List<Pod.End> ends() {
    return List.copyOf(ends);
  }

  /// Returns what has gone wrong, in words.
  synchronized List<String> troubles() {
    return List.copyOf(troubles);
  }

  /// Returns the directory of a volume.
  ///
  /// @param directory for what pods have
  static Path volume(Path directory, String claim) {
    return directory.resolve("volumes").resolve(claim);
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        synchronized (this) {
          if (closed) {
            return;
          }
          step();
        }
        Thread.sleep(LOOK);
      } catch (InterruptedException _) {
        return;
      } catch (Api.Refused e) {
        if (!e.isPassing()) {
          trouble(e);
        }
      } catch (IOException _) {
        // The control plane is away; the processes go on.
      } catch (RuntimeException e) { // outermost: the test looks at it
        trouble(e);
      }
    }
  }

  private synchronized void trouble(Exception e) {
    troubles.add(e.toString());
  }

  private void step() throws IOException, InterruptedException {
    if (nextHeartbeatNanos - System.nanoTime() < 0) {
      nextHeartbeatNanos = System.nanoTime() + HEARTBEAT.toNanos();
      for (String node : nodes) {
        api.patch(
            NODES + "/" + node + "/status",
            Api.STRATEGIC,
            Map.of("status", Map.of("conditions", List.of(ready()))));
      }
    }
    makeVolumes();
    Set<String> there = new HashSet<>();
    for (JsonNode each : api.list("/api/v1/namespaces/default/pods")) {
      String id = each.at("/metadata/uid").asString();
      there.add(id);
      String node = each.at("/spec/nodeName").asString("");
      if (!nodes.contains(node)) {
        continue;
      }
      Pod pod = pods.get(id);
      if (pod == null) {
        pod = new Pod(api, each, directory, "127.0.77." + ++addresses, images);
        pods.put(id, pod);
      }
      pod.step(each, ends);
    }
    // What nobody knows any more must not run.
    pods.values()
        .removeIf(pod -> {
          boolean gone = !there.contains(pod.id());
          if (gone) {
            pod.close();
          }
          return gone;
        });
  }

  private static Map<String, Object> ready() {
    String now = Instant.now().toString();
    return Map.of(
        "type", "Ready", "status", "True", "reason", "KubeletReady", "lastHeartbeatTime", now);
  }

  private void makeVolumes() throws IOException, InterruptedException {
    for (JsonNode claim : api.list("/api/v1/namespaces/default/persistentvolumeclaims")) {
      String name = claim.at("/metadata/name").asString();
      if (!claim.at("/spec/volumeName").asString("").isEmpty() || !volumes.add(name)) {
        continue;
      }
      Path path = Files.createDirectories(volume(directory, name));
      api.create(
          "/api/v1/persistentvolumes",
          Map.of(
              "metadata",
              Map.of("name", "disk-of-" + name),
              "spec",
              Map.of(
                  "capacity",
                  Map.of("storage", claim.at("/spec/resources/requests/storage").asString()),
                  "accessModes",
                  List.of("ReadWriteOnce"),
                  "storageClassName",
                  STORAGE,
                  "persistentVolumeReclaimPolicy",
                  "Retain",
                  "hostPath",
                  Map.of("path", path.toString()),
                  "claimRef",
                  Map.of("namespace", "default", "name", name))));
    }
  }

  @Override
  public void close() throws InterruptedException {
    synchronized (this) {
      closed = true;
      pods.values().forEach(Pod::close);
    }
    thread.interrupt();
    thread.join();
  }
}
