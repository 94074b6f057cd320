package dev.millrace.cli.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.flights.DelayedFlights;
import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.kafka.embedded.EmbeddedKafkaProvider;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.spi.LocalBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/// The commands of `docs/guide/kubernetes.md` are executed on the control plane of Kubernetes
/// itself, with the flights as the application. Besides, a process is killed, a pod deleted, a node
/// lost, and parts of the control plane are killed. All results are compared.
@Isolated
@Tag("thorough")
class KubernetesTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String FIRST = "registry.example/counting:1";
  private static final String SECOND = "registry.example/counting:2";
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /// Of any partition, while all pods get another image.
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(3);

  @TempDir private Path directory;

  private ControlPlane plane;
  private Api api;
  private Kubelet kubelet;
  private Silence silence;
  private Guide guide;
  private final Map<String, Long> silences = new LinkedHashMap<>();

  @Test
  void theResultIsExactWhateverKubernetesDoesToThePods() throws Exception {
    ControlPlane.missing().ifPresent(what -> Assumptions.abort("Left out, as " + what + "."));
    Image image = Image.ofClassPath(directory, LiveFlights.class);
    try (LocalBroker broker = new EmbeddedKafkaProvider().start(directory.resolve("kafka"), 0);
        ControlPlane masters =
            new ControlPlane(Files.createDirectories(directory.resolve("plane")));
        Kubelet nodes =
            new Kubelet(masters.api(), directory, Map.of(FIRST, image, SECOND, image))) {
      plane = masters;
      api = masters.api();
      kubelet = nodes;
      for (String node : List.of("worker-1", "worker-2", "worker-3")) {
        nodes.add(node);
      }
      guide = new Guide(directory, masters.kubectl(), broker.bootstrapServers());
      Iterator<String> commands = guide.blocks().iterator();
      guide.run(commands.next());
      List<Flight> written;
      LiveFlights flights = new LiveFlights(FlightFile.read(), broker.bootstrapServers());
      try (flights;
          Silence listening =
              new Silence(broker.bootstrapServers(), DelayedFlights.CARRIER_DELAYS)) {
        silence = listening;
        goesOn();
        happen(commands);
      }
      written = flights.written();
      compare(written, broker.bootstrapServers());
      assertEquals(List.of(), nodes.troubles());
    }
  }

  private void happen(Iterator<String> commands) throws Exception {
    during("two to four", () -> guide.run(commands.next()));
    during("another image", () -> guide.run(commands.next()));
    assertTrue(
        silences.get("another image") <= Patience.grown(LONGEST_SILENCE).toMillis(),
        silences::toString);
    during("node drained", () -> guide.run(commands.next()));
    during("process killed", () -> kill("counting-1"));
    during("pod deleted", () -> delete("counting-2"));
    during("node lost", () -> lose("worker-2"));
    for (String part : List.of("apiserver", "controller-manager", "scheduler")) {
      during(part + " killed", () -> without(part));
    }
    during("four to two", () -> guide.run(commands.next()));
    assertTrue(!commands.hasNext(), "The guide has more commands.");
    Patience.await("Two pods", PATIENCE, () -> pods().size() == 2);
    // Nobody has ended unasked, and who was asked has ended in order.
    assertTrue(
        kubelet.ends().stream().allMatch(end -> end.asked() && end.status() == 0),
        kubelet.ends()::toString);
  }

  private interface Step {
    void happen() throws Exception;
  }

  private void during(String what, Step step) throws Exception {
    silence.begin();
    step.happen();
    goesOn();
    silences.put(what, silence.longestMillis());
  }

  /// Waits for more results.
  private void goesOn() {
    long before = silence.rows();
    Patience.await("More results", PATIENCE, () -> silence.rows() > before + 500);
    assertEquals(List.of(), kubelet.troubles());
  }

  private void compare(List<Flight> written, String bootstrap) {
    FlightCheck.Result[] last = new FlightCheck.Result[1];
    Patience patience = Patience.of(PATIENCE);
    do {
      patience.pause();
      last[0] = new FlightCheck(written).compare(bootstrap);
    } while (!last[0].differences().isEmpty() && !patience.isOver());
    assertEquals(List.of(), last[0].differences());
    System.out.printf(
        "kubernetes: %d rows compared, silences in ms %s%n", last[0].rows(), silences);
  }

  private void kill(String pod) {
    kubelet.kill(pod);
    Patience.await(
        "A container of " + pod + " again",
        PATIENCE,
        () -> look(PODS + "/" + pod).at("/status/containerStatuses/0/restartCount").asInt() == 1);
    awaitFour();
  }

  private void delete(String pod) throws Exception {
    String id = look(PODS + "/" + pod).at("/metadata/uid").asString();
    kubelet.kill(pod);
    api.delete(PODS + "/" + pod, Map.of("gracePeriodSeconds", 0));
    Patience.await(
        "Another pod " + pod,
        PATIENCE,
        () ->
            pods().stream()
                .anyMatch(each ->
                    each.at("/metadata/name").asString().equals(pod)
                        && !each.at("/metadata/uid").asString().equals(id)));
    awaitFour();
  }

  /// The node is gone without a word; somebody who knows that says so to the control plane.
  private void lose(String node) throws Exception {
    List<String> were = podsOn(node);
    assertTrue(!were.isEmpty(), "No pod is on " + node);
    kubelet.lose(node);
    api.delete("/api/v1/nodes/" + node, Map.of());
    Patience.await("Other nodes for " + were, PATIENCE, () -> podsOn(node).isEmpty());
    awaitFour();
  }

  /// All pods go on while a part of the control plane is away.
  private void without(String part) throws Exception {
    plane.kill(part);
    goesOn();
    goesOn();
    plane.startAgain(part);
    awaitFour();
  }

  private List<String> podsOn(String node) {
    return pods().stream()
        .filter(each -> each.at("/spec/nodeName").asString("").equals(node))
        .map(each -> each.at("/metadata/name").asString())
        .toList();
  }

  private List<JsonNode> pods() {
    List<JsonNode> all = new ArrayList<>();
    look(PODS).get("items").forEach(all::add);
    return all;
  }

  private JsonNode look(String path) {
    try {
      return api.get(path);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Waits until there are four pods, all with the second image, and ready.
  private void awaitFour() {
    Patience.await(
        "Four pods that are ready",
        PATIENCE,
        () -> {
          assertEquals(List.of(), kubelet.troubles());
          List<JsonNode> all = pods();
          return all.size() == 4
              && all.stream()
                  .allMatch(each ->
                      each.at("/status/containerStatuses/0/ready").asBoolean(false)
                          && each.at("/metadata/deletionTimestamp").isMissingNode()
                          && each.at("/spec/containers/0/image").asString().equals(SECOND));
        });
  }
}
