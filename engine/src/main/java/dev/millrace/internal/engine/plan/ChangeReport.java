package dev.millrace.internal.engine.plan;

import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a change of a plan costs, part by part: how much state it concerns, how much of it is
/// written anew and how long that takes, and whether the change can be rolled back. A pure function
/// of both plans and of what containers have told.
public final class ChangeReport {
  /// So many changes are told.
  private static final int MOST = 20;

  private final PlanDiff diff;
  private final PlanDescription was;
  private final PlanDescription is;
  private final Formats formats;
  private final StateSizes sizes;

  /// An operator with state that is the same in both plans.
  ///
  /// @param text as people know it
  public record Kept(String text, ChangeCost cost) {}

  private record Row(char sign, String bytes, String written, String text) {}

  private ChangeReport(
      PlanDiff diff, PlanDescription was, PlanDescription is, Formats formats, StateSizes sizes) {
    this.diff = diff;
    this.was = was;
    this.is = is;
    this.formats = formats;
    this.sizes = sizes;
  }

  /// Makes the report of a change.
  ///
  /// @param was the plan that the state is of
  /// @param is the plan that is to run
  /// @param formats of that plan
  public static ChangeReport of(
      PlanDiff diff, PlanDescription was, PlanDescription is, Formats formats, StateSizes sizes) {
    return new ChangeReport(diff, was.renamed(formats.renames()), is, formats, sizes);
  }

  /// Returns the operators that are kept.
  public List<Kept> kept() {
    return is.parts().stream()
        .filter(part -> part.kind() == Kind.OPERATOR && !part.parked())
        .filter(part -> diff.kept().contains(PartLabel.of(part, is)))
        .map(part -> new Kept(PartLabel.of(part, is), ChangeCost.kept(stores(part), sizes)))
        .toList();
  }

  /// Returns what a change of a part costs.
  public ChangeCost cost(PlanDiff.Change change) {
    return ChangeCost.of(change.effect(), stores(change.part()), sizes);
  }

  /// Returns the sizes that it is made of.
  public StateSizes sizes() {
    return sizes;
  }

  /// Returns how much state the whole change writes anew; empty if that is not known.
  public OptionalLong written() {
    long sum = 0;
    for (PlanDiff.Change change : diff.changes()) {
      if (change.effect() == PlanDiff.Effect.MIGRATED) {
        OptionalLong written = cost(change).written();
        if (written.isEmpty()) {
          return written;
        }
        sum += written.getAsLong();
      }
    }
    return OptionalLong.of(sum);
  }

  /// Returns whether the change can be rolled back; null if it is refused, or there is none.
  public @Nullable Rollback rollback() {
    return diff.isNone() || !diff.isPossible() ? null : Rollback.of(diff, was, is, formats);
  }

  /// The numbers of the stores of a part.
  private List<Integer> stores(Part part) {
    if (part.kind() == Kind.STORE) {
      return List.of(number(part));
    }
    return part.kind() == Kind.OPERATOR
        ? Stream.concat(is.parts().stream(), was.parts().stream())
            .filter(each -> each.kind() == Kind.STORE)
            .filter(each -> each.value(PlanDescription.OWNER).equals(part.name()))
            .map(ChangeReport::number)
            .distinct()
            .toList()
        : List.of();
  }

  private static Integer number(Part store) {
    return Integer.valueOf(store.value(PlanDescription.NUMBER));
  }

  /// Returns a table: what is kept, then the changes, without those that follow from others; above
  /// them what the columns are.
  public List<String> lines() {
    List<Row> rows = new ArrayList<>();
    rows.add(new Row(' ', "state", "writes", ""));
    for (Kept each : kept()) {
      ChangeCost cost = each.cost();
      rows.add(
          new Row(
              '=',
              cost.bytesText(),
              cost.writtenText(PlanDiff.Effect.GROWS),
              each.text() + " is kept"));
    }
    List<PlanDiff.Change> told = diff.told();
    for (PlanDiff.Change change : told.subList(0, Math.min(MOST, told.size()))) {
      ChangeCost cost = cost(change);
      rows.add(
          new Row(
              change.effect().sign(),
              cost.bytesText(),
              cost.writtenText(change.effect()),
              change.text()));
    }
    int bytes = rows.stream().mapToInt(row -> row.bytes.length()).max().orElse(0);
    int written = rows.stream().mapToInt(row -> row.written.length()).max().orElse(0);
    String format = "%s  %" + bytes + "s  %" + written + "s  %s";
    List<String> lines = new ArrayList<>();
    for (Row row : rows) {
      lines.add(format.formatted(row.sign, row.bytes, row.written, row.text).stripTrailing());
    }
    if (told.size() > MOST) {
      lines.add("and " + (told.size() - MOST) + " more");
    }
    return lines;
  }

  /// Returns sentences about the whole change.
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (!sizes.isKnown()) {
      notes.add(
          "Sizes are not known: no process has reported any yet. Each does so half a minute after"
              + " its start and when it ends.");
    } else if (!sizes.isComplete()) {
      notes.add(
          "Sizes are those of %d of %d tasks: the others were not reported yet."
              .formatted(sizes.reported(), sizes.tasks()));
    }
    Rollback rollback = rollback();
    if (rollback != null) {
      notes.add(writes());
      notes.add(rollback.text());
    }
    return notes;
  }

  private String writes() {
    OptionalLong written = written();
    if (written.isEmpty()) {
      return "How much state the change writes is not known.";
    }
    String text = "The change writes " + Rounded.bytes(written.getAsLong()) + " of state";
    if (written.getAsLong() == 0) {
      return text + ".";
    }
    OptionalLong seconds = sizes.seconds(written.getAsLong());
    return seconds.isPresent()
        ? "%s, in about %s beside the work.".formatted(text, Rounded.seconds(seconds.getAsLong()))
        : text + ". How long that takes is not known: no rate was measured yet.";
  }
}
