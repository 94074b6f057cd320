package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.Redirect;
import java.util.List;

/// The planted bugs of bytes that are kept longer than they are valid.
final class ViewMutants {
  private static final String OPERATORS = "dev.millrace.internal.engine.operators.";
  private static final String STATE = "dev.millrace.internal.state.";
  private static final Redirect UNCOPIED = new Redirect("Bytes", "copy", "uncopied");

  private ViewMutants() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "view-kept-by-operator",
            "Operators keep views of a batch instead of copies.",
            OPERATORS + "Opened",
            "kept",
            UNCOPIED,
            "views",
            1),
        new Mutant(
            "key-view-kept",
            "The key in a window's result is a view of the key in the state.",
            OPERATORS + "rows.WindowResultSerde",
            "read",
            new Redirect("Opened", "object", "view"),
            "views",
            1),
        new Mutant(
            "view-put-in-store",
            "A store's cache keeps the view that was put.",
            STATE + "CachedStore",
            "kept",
            UNCOPIED,
            "views",
            6),
        new Mutant(
            "view-of-disk-cached",
            "A store's cache keeps a view of the value that was read from below.",
            STATE + "EntryLoader",
            "decoded",
            UNCOPIED,
            "views",
            6));
  }
}
