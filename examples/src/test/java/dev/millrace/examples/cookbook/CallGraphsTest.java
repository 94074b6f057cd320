package dev.millrace.examples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.cookbook.CallGraphs.Edge;
import dev.millrace.examples.cookbook.CallGraphs.ServiceCall;
import dev.millrace.examples.cookbook.CallGraphs.Tree;
import dev.millrace.testkit.job.TestJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallGraphsTest {
  private static final List<String> SERVICES = List.of("feed", "ads", "profile", "search");

  /// A request as it was: its calls in the order of their ids, and when the last one was answered.
  private static final class Request {
    private final String id;
    private final List<ServiceCall> calls = new ArrayList<>();
    private final Instant begun;

    Request(String id, Instant begun) {
      this.id = id;
      this.begun = begun;
    }

    /// Draws a call and all that are made within it.
    Tree call(Drawn drawn, String caller, int depth) {
      String service = drawn.oneOf(SERVICES);
      int made = depth == 3 ? 0 : drawn.below(3);
      String call = "c" + (100 + calls.size());
      int place = calls.size();
      calls.add(null);
      List<Tree> within = new ArrayList<>();
      for (int i = 0; i < made; i++) {
        within.add(call(drawn, call, depth + 1));
      }
      Instant at = begun.plusMillis(drawn.below(8000));
      calls.set(place, new ServiceCall(id, call, caller, service, made, at));
      return new Tree(service, made, within);
    }

    Instant last() {
      return calls.stream().map(ServiceCall::at).max(Instant::compareTo).orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theCallsOfEachRequestBecomeATree(long seed) {
    Drawn drawn = new Drawn(seed, 60);
    Map<String, Tree> trees = new TreeMap<>();
    Map<String, Edge> edges = new TreeMap<>();
    List<ServiceCall> held = new ArrayList<>();
    try (TestJob job = TestJob.of(new CallGraphs()).seed(seed)) {
      for (int step = 0; step < 12; step++) {
        for (int i = 0; i < 4; i++) {
          Request request = new Request("request" + step + "-" + i, drawn.time(20));
          Tree tree = new Tree("page", 1, List.of(request.call(drawn, "", 0)));
          trees.put(request.id, tree);
          count(
              tree,
              Instant.ofEpochSecond((request.last().toEpochMilli() + 29_999) / 60_000 * 60),
              edges);
          for (ServiceCall call : request.calls) {
            // Some calls come when their request is long closed.
            if (drawn.below(6) == 0) {
              held.add(call);
            } else {
              job.input("service-calls").send(call);
            }
          }
        }
        drawn.goOn(job);
        if (step % 2 == 1) {
          held.forEach(call -> job.input("service-calls").send(call));
          held.clear();
          drawn.goOn(job);
        }
      }
      Instant end = drawn.now().plusSeconds(600);
      job.input("service-calls")
          .sendToEveryPartition(new ServiceCall("end", "c", "", "end", 0, end));

      assertEquals(trees, new TreeMap<>(job.output("trees").latest()));
      assertEquals(Map.of(), job.output("broken-trees").latest());
      assertTrue(job.output("broken-trees").records().size() > 5, "nothing came late");
      Map<String, Edge> found = new TreeMap<>();
      for (Object value : job.output("call-graph").values()) {
        Edge edge = (Edge) value;
        found.put(edge.callerAndCalled() + " " + edge.minute(), edge);
      }
      assertEquals(edges, found);
    }
  }

  private static void count(Tree tree, Instant minute, Map<String, Edge> edges) {
    for (Tree call : tree.calls()) {
      String edge = tree.service() + " > " + call.service();
      edges.merge(
          edge + " " + minute,
          new Edge(edge, minute, 1),
          (a, b) -> new Edge(edge, minute, a.calls() + b.calls()));
      count(call, minute, edges);
    }
  }

  @Test
  void aTreeWithoutOneOfItsCallsIsBrokenUntilThatComes() {
    Instant start = Drawn.START;
    ServiceCall feed = new ServiceCall("r", "1", "", "feed", 1, start);
    ServiceCall ads = new ServiceCall("r", "2", "1", "ads", 1, start.plusSeconds(1));
    ServiceCall profile = new ServiceCall("r", "3", "2", "profile", 0, start.plusSeconds(2));
    try (TestJob job = TestJob.of(new CallGraphs())) {
      job.input("service-calls")
          .send(feed)
          .send(profile)
          .sendToEveryPartition(
              new ServiceCall("later", "1", "", "feed", 0, start.plusSeconds(60)));
      Tree last = new Tree("profile", 0, List.of());
      job.output("trees").hasNo("r");
      job.output("broken-trees")
          .hasLatest("r", new Tree("page", 1, List.of(new Tree("feed", 1, List.of()), last)));

      job.input("service-calls").send(ads);
      Tree within = new Tree("ads", 1, List.of(last));
      job.output("broken-trees").hasNo("r");
      job.output("trees")
          .hasLatest("r", new Tree("page", 1, List.of(new Tree("feed", 1, List.of(within)))));
    }
  }
}
