package dev.millrace.testkit.mutants;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The simulation can fail: every planted bug is found by the seed that is noted for it.
class MutantsTest {
  static List<String> names() {
    return Mutants.all().stream().map(Mutant::name).toList();
  }

  private static Mutant named(String name) {
    return Mutants.all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPlantedBugIsFound(String name) {
    Mutant mutant = named(name);
    String found = new MutantHunt(mutant).run(mutant.scenario(), mutant.caughtBy());
    assertFalse(found.isEmpty(), () -> mutant + " was not found by seed " + mutant.caughtBy());
  }

  @Test
  void aBugWhosePlaceIsGoneIsNotCountedAsFound() {
    Mutant gone =
        new Mutant(
            "gone",
            "A call that is not there is left out.",
            "dev.millrace.engine.commit.CommitGroup",
            "perform",
            new SkipCalls("Queue", "stroke"),
            "sums",
            1);
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> new MutantHunt(gone).run("sums", 1));
    assertTrue(thrown.getMessage().contains("CommitGroup.perform"), thrown.getMessage());
  }

  @Test
  void namesAreUnlikeEachOther() {
    assertTrue(names().size() == new HashSet<>(names()).size() && names().size() >= 35);
  }
}
