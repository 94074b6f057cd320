package dev.millrace.testkit.mutants;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;

/// Searches for a planted bug with the simulation.
public final class MutantHunt {
  private final MutantLoader loader;
  private final Mutant mutant;
  private final Method run;

  public MutantHunt(Mutant mutant) {
    this.mutant = mutant;
    loader = new MutantLoader(mutant);
    loader.setDefaultAssertionStatus(true);
    try {
      run = loader.loadClass(MutantRun.class.getName()).getMethod("run", String.class, long.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(mutant.name() + " cannot be loaded: " + e, e);
    }
  }

  /// Checks that the bug can be planted, without running anything.
  ///
  /// @throws IllegalStateException if its method or call does not exist any more
  public void requirePlace() {
    try {
      loader.loadClass(mutant.className());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("There is no class any more: " + mutant.className(), e);
    }
    requireEdited();
  }

  /// Runs a seed of a scenario with the bug in place.
  ///
  /// @return what failed; empty if the bug was not found
  /// @throws IllegalStateException if the bug cannot be planted because its method or call does not
  ///   exist any more
  public String run(String scenario, long seed) {
    try {
      String found = (String) Objects.requireNonNull(run.invoke(null, scenario, seed));
      if (loader.reached()) {
        requireEdited();
      }
      return found;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(mutant.name() + " could not be run: " + e.getCause(), e);
    }
  }

  private void requireEdited() {
    if (loader.edits() == 0) {
      throw new IllegalStateException(
          "There is no such place any more: %s in %s.%s."
              .formatted(mutant.edit(), mutant.className(), mutant.method()));
    }
  }
}
