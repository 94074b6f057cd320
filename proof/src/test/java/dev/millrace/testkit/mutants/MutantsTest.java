package dev.millrace.testkit.mutants;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The simulation can fail: every planted bug is found by the seed that is noted for it, or by one
/// of the next ones. Each build looks for some of them, the thorough one for the others too.
class MutantsTest {
  /// How many seeds are tried. The engine's timing decides what happens under a seed, so a change
  /// that makes something faster may hide a bug from the noted one.
  private static final int SEEDS = 20;

  /// One of so many is looked for in each build.
  private static final int SHARE = 9;

  static List<String> names() {
    return Mutants.all().stream().map(Mutant::name).toList();
  }

  static List<String> some() {
    List<String> all = names();
    return IntStream.range(0, all.size()).filter(i -> i % SHARE == 0).mapToObj(all::get).toList();
  }

  static List<String> others() {
    List<String> others = new ArrayList<>(names());
    others.removeAll(some());
    return others;
  }

  private static Mutant named(String name) {
    return Mutants.all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("some")
  void aPlantedBugIsFound(String name) {
    Mutant mutant = named(name);
    MutantHunt hunt = new MutantHunt(mutant);
    boolean isFound =
        LongStream.range(mutant.caughtBy(), mutant.caughtBy() + SEEDS)
            .anyMatch(seed -> !hunt.run(mutant.scenario(), seed).isEmpty());
    assertTrue(isFound, () -> mutant + " was not found by " + SEEDS + " seeds");
  }

  @ParameterizedTest
  @MethodSource("others")
  @Tag("thorough")
  void theOthersAreFoundToo(String name) {
    aPlantedBugIsFound(name);
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyBugHasItsPlace(String name) {
    assertDoesNotThrow(new MutantHunt(named(name))::requirePlace);
  }

  @Test
  void theTableOfThemIsRight() throws IOException {
    List<String> rows =
        Mutants.all().stream()
            .map(each ->
                "| %s | `%s` | %d | %s |"
                    .formatted(each.name(), each.scenario(), each.caughtBy(), each.fault()))
            .toList();
    List<String> lines = Files.readAllLines(Path.of("../docs/simulation.md"));
    int first = lines.indexOf("| planted bug | found by | seed | what it does |") + 2;
    List<String> table = lines.stream().skip(first).takeWhile(each -> !each.isEmpty()).toList();
    assertEquals(String.join("\n", rows), String.join("\n", table));
  }

  @Test
  void aBugWhosePlaceIsGoneIsNotCountedAsFound() {
    Mutant gone =
        new Mutant(
            "gone",
            "A call that is not there is left out.",
            "dev.millrace.internal.engine.commit.CommitGroup",
            "perform",
            new SkipCalls("Queue", "stroke"),
            "sums",
            1);
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> new MutantHunt(gone).run("sums", 1));
    assertTrue(thrown.getMessage().contains("CommitGroup.perform"), thrown.getMessage());
    assertThrows(IllegalStateException.class, () -> new MutantHunt(gone).requirePlace());
  }

  @Test
  void namesAreUnlikeEachOther() {
    assertTrue(names().size() == new HashSet<>(names()).size() && names().size() >= 35);
  }
}
