package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.testkit.job.EachOperator.Form;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class EachOperatorTest {
  /// A new operator needs an application in [EachOperator], where the tests of all operators find
  /// it.
  @Test
  void noOperatorIsMissing() {
    Form<String> texts = new Form<>(Serdes.string(), text -> text, text -> text, text -> text);
    Map<String, Consumer<Topology>> all = new EachOperator<>(texts, texts).all();
    Set<String> used = new TreeSet<>();
    all.values()
        .forEach(each ->
            TopologyGraph.of(topology -> each.accept(OperatorsOfTheApi.noting(topology, used))));
    assertEquals(OperatorsOfTheApi.all(), used);
  }
}
