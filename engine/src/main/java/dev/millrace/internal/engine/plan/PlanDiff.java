package dev.millrace.internal.engine.plan;

import dev.millrace.internal.engine.operators.Parameters.Parameter;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.internal.engine.topology.Fingerprint;
import dev.millrace.internal.engine.topology.Renames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What becomes of the state of an application under another plan, part by part.
///
/// @param changes in the order of the plan, then what only the plan before had
/// @param kept the operators with state that are the same in both plans, as people know them
/// @param id tells this change of plans from all others
public record PlanDiff(List<Change> changes, List<String> kept, String id) {
  /// So many are told.
  private static final int MOST = 20;

  /// So much of a value is told.
  private static final int LONGEST = 160;

  private static final int BEFORE_DIFFERENCE = 60;

  /// What follows from them is told of the part that is the reason, or of another.
  private static final List<String> PLACES =
      List.of(
          PlanDescription.STAGE,
          PlanDescription.FROM_STAGE,
          PlanDescription.TO_STAGE,
          PlanDescription.NUMBER,
          PlanDescription.OWNER,
          PlanDescription.FED_BY);

  /// What a change does to state.
  public enum Effect {
    /// One input more: operators go on from their state, and read it from where a first start
    /// would.
    GROWS('+', "New inputs (+) are read from where a first start would read them."),
    /// New, with empty state.
    ADDED('+', "What is new (+) begins with empty state."),
    /// No longer there. State, positions and numbers are kept, and found again when it comes back.
    PARKED(
        '-',
        "What is gone (-) keeps its state and positions, and finds them when it comes back; it"
            + " misses the records until then."),
    /// It was parked, and goes on from what was kept.
    RESUMED('^', "What is there again (^) goes on from the state that was kept."),
    /// Another name for the same part, with its state.
    RENAMED('>', "What is renamed (>) keeps its state."),
    /// Values are read in place: the new format reads the old one.
    EVOLVES(
        '~',
        "What evolves (~) is read in place: new components are empty in old values, and removed"
            + " ones are passed over."),
    /// Values are read through a function that makes new ones of them, and are written anew.
    MIGRATED(
        '!',
        "What is migrated (!) is read through the function that migrates it, and is written anew"
            + " beside the work."),
    /// The state is read as it is, and means what the new program says it does: whether that is
    /// right, a person must know.
    REINTERPRETED(
        '?',
        "What is marked with ? goes on with the state as it is. That is right if changed functions"
            + " give each record the key that it had, as when another compiler made them, and if"
            + " the state fits what feeds the operator now; another time to live holds for what is"
            + " put from then on."),
    /// The state cannot be read, or would mean something else.
    REFUSED('x', "What is marked with x cannot be done with this state.");

    /// Marks it in texts.
    private final char sign;

    /// What it means.
    private final String sentence;

    Effect(char sign, String sentence) {
      this.sign = sign;
      this.sentence = sentence;
    }

    char sign() {
      return sign;
    }
  }

  /// @param part that changes, as the new plan has it; as the old one has it if it is gone
  /// @param parameter of a part that is in both plans; empty if the whole part is in one of them
  /// @param text a clause for people
  /// @param follows whether it follows from other changes, which are told
  public record Change(Effect effect, Part part, String parameter, String text, boolean follows) {
    private static Change whole(Effect effect, Part part, String text, boolean follows) {
      return new Change(effect, part, "", text, follows);
    }
  }

  public PlanDiff {
    changes = List.copyOf(changes);
    kept = List.copyOf(kept);
  }

  /// Compares two plans, of which only descriptions are known.
  ///
  /// @param was the plan that the state is of
  public static PlanDiff between(PlanDescription was, PlanDescription is) {
    return between(was, is, Formats.NONE);
  }

  /// Compares two plans.
  ///
  /// @param was the plan that the state is of
  /// @param formats of the plan that is to run
  public static PlanDiff between(PlanDescription was, PlanDescription is, Formats formats) {
    PlanDiff diff = named(was.renamed(formats.renames()), is, formats);
    List<Change> all = new ArrayList<>(renamed(was, formats.renames(), is));
    all.addAll(diff.changes);
    String id = new Fingerprint().add(was.text()).add(is.text()).text().substring(0, 8);
    List<String> kept = new ArrayList<>(diff.kept);
    all.stream()
        .filter(change -> change.effect == Effect.RENAMED)
        .forEach(change -> kept.remove(PartLabel.of(change.part, is)));
    return new PlanDiff(all, kept, id);
  }

  private static List<Change> renamed(PlanDescription was, Renames renames, PlanDescription is) {
    List<Part> later = was.renamed(renames).parts();
    List<Change> found = new ArrayList<>();
    for (int i = 0; i < later.size(); i++) {
      Part old = was.parts().get(i);
      Part part = later.get(i);
      if (!old.name().equals(part.name())) {
        String text = "%s was '%s'".formatted(PartLabel.of(part, is), old.name());
        found.add(Change.whole(Effect.RENAMED, part, text, part.kind() == Kind.STORE));
      }
    }
    return found;
  }

  /// Compares two plans that have the same names for what they have in common.
  private static PlanDiff named(PlanDescription was, PlanDescription is, Formats formats) {
    List<Change> found = new ArrayList<>();
    Map<String, Part> before = byName(was);
    Map<String, Part> now = byName(is);
    Set<String> more = new TreeSet<>(is.inputs());
    more.removeAll(was.inputs());
    Set<String> exchanges = new TreeSet<>();
    was.parts().stream()
        .filter(part -> part.kind() == Kind.EXCHANGE && !part.parked())
        .forEach(part -> exchanges.add(part.name()));
    Feeds feeds = new Feeds(more, exchanges);
    Reading reading = new Reading(feeds, formats);
    now.forEach((name, part) -> {
      Part old = before.get(name);
      if (part.parked()) {
        if (old != null && !old.parked()) {
          found.add(gone(part, was, now));
        }
      } else if (old == null) {
        found.add(added(part, is, before));
      } else {
        if (old.parked()) {
          found.add(resumed(part, is, before));
        }
        compare(old, part, PartLabel.of(part, is), reading, found);
      }
    });
    before.forEach((name, part) -> {
      if (!now.containsKey(name) && !part.parked()) {
        found.add(gone(part, was, now));
      }
    });
    return new PlanDiff(found, kept(now, is, found), "");
  }

  private static List<String> kept(
      Map<String, Part> now, PlanDescription plan, List<Change> changes) {
    return now.values().stream()
        .filter(part -> part.kind() == Kind.OPERATOR && !part.parked())
        .filter(part -> changes.stream().noneMatch(change -> concerns(change, part)))
        .map(part -> PartLabel.of(part, plan))
        .toList();
  }

  /// Returns whether a change is one of an operator or of a store that it has.
  private static boolean concerns(Change change, Part operator) {
    Part changed = change.part;
    return changed.kind() == Kind.STORE
        ? changed.value(PlanDescription.OWNER).equals(operator.name())
        : changed.kind() == Kind.OPERATOR && changed.name().equals(operator.name());
  }

  private static Map<String, Part> byName(PlanDescription plan) {
    Map<String, Part> parts = new LinkedHashMap<>();
    plan.parts().forEach(part -> parts.put(part.kind() + " " + part.name(), part));
    return parts;
  }

  /// A new input whose records come to operators that there were is growth. A broadcast table is
  /// one that there was not.
  private static Change added(Part part, PlanDescription plan, Map<String, Part> before) {
    boolean grows =
        part.kind() == Kind.INPUT && part.value(PlanDescription.READ_BY_ALL).equals("no");
    Effect effect = grows ? Effect.GROWS : Effect.ADDED;
    return Change.whole(effect, part, PartLabel.of(part, plan) + " is new", follows(part, before));
  }

  private static Change gone(Part part, PlanDescription plan, Map<String, Part> now) {
    if (part.kind() == Kind.APPLICATION) {
      return Change.whole(
          Effect.REFUSED, part, PartLabel.of(part, plan) + " is another one", false);
    }
    return Change.whole(
        Effect.PARKED, part, PartLabel.of(part, plan) + " is gone", follows(part, now));
  }

  private static Change resumed(Part part, PlanDescription plan, Map<String, Part> before) {
    return Change.whole(
        Effect.RESUMED, part, PartLabel.of(part, plan) + " is there again", follows(part, before));
  }

  /// A stage is a number to people, and a store is told with its operator, unless that is in both
  /// plans.
  private static boolean follows(Part part, Map<String, Part> other) {
    if (part.kind() != Kind.STORE) {
      return part.kind() == Kind.STAGE;
    }
    Part operator = other.get(Kind.OPERATOR + " " + part.value(PlanDescription.OWNER));
    return (operator == null || operator.parked()) && !part.value(PlanDescription.OWNER).isEmpty();
  }

  private static void compare(
      Part was, Part is, String label, Reading reading, List<Change> found) {
    Map<String, Parameter> before = parameters(was);
    Map<String, Parameter> now = parameters(is);
    Set<String> names = new LinkedHashSet<>(now.keySet());
    names.addAll(before.keySet());
    if (evolution(was, is, label, reading.formats, found)) {
      names.remove(PlanDescription.SERDE_OF_VALUES);
      names.remove(PlanDescription.SCHEMA_OF_VALUES);
    }
    for (String name : names) {
      Parameter old = before.get(name);
      Parameter changed = now.get(name);
      if (!Objects.equals(old, changed) && !isOrder(name, old, changed)) {
        found.add(
            new Change(
                effect(name, old, changed, reading.feeds),
                is,
                name,
                label + ": " + clause(name, old, changed),
                PLACES.contains(name) || is.kind() == Kind.STAGE));
      }
    }
  }

  /// Adds whether values can be read that were written in another way.
  ///
  /// @return whether all was said of their format
  private static boolean evolution(
      Part was, Part is, String label, Formats formats, List<Change> found) {
    String written = was.schemaOfValues();
    boolean same =
        written.equals(is.schemaOfValues())
            && was.value(PlanDescription.SERDE_OF_VALUES)
                .equals(is.value(PlanDescription.SERDE_OF_VALUES));
    boolean hadSchema = !was.value(PlanDescription.SCHEMA_OF_VALUES).isEmpty();
    boolean hasSchema = !is.value(PlanDescription.SCHEMA_OF_VALUES).isEmpty();
    if (same || !(hadSchema || hasSchema)) {
      return false;
    }
    Optional<String> obstacle = formats.obstacle(is, written);
    if (obstacle.isPresent()) {
      if (!hadSchema) {
        return false;
      }
      found.add(
          new Change(
              Effect.REFUSED,
              is,
              PlanDescription.SCHEMA_OF_VALUES,
              "%s: %s was %s, is %s, and old values cannot be read: %s"
                  .formatted(
                      label,
                      PlanDescription.SCHEMA_OF_VALUES,
                      around(written, is.value(PlanDescription.SCHEMA_OF_VALUES)),
                      around(is.value(PlanDescription.SCHEMA_OF_VALUES), written),
                      obstacle.get()),
              false));
      return true;
    }
    boolean migrates =
        ValueVersions.highest(is.value(PlanDescription.SCHEMA_OF_VALUES))
            > ValueVersions.highest(written);
    found.add(
        new Change(
            migrates ? Effect.MIGRATED : Effect.EVOLVES,
            is,
            PlanDescription.SCHEMA_OF_VALUES,
            label
                + ": values were "
                + around(written, is.value(PlanDescription.SCHEMA_OF_VALUES))
                + ", are "
                + around(is.value(PlanDescription.SCHEMA_OF_VALUES), written),
            false));
    return true;
  }

  /// Returns whether an operator is fed by the same in another order.
  private static boolean isOrder(String name, @Nullable Parameter was, @Nullable Parameter is) {
    return name.equals(PlanDescription.FED_BY)
        && was != null
        && is != null
        && sides(was).equals(sides(is));
  }

  private static Effect effect(
      String name, @Nullable Parameter was, @Nullable Parameter is, Feeds feeds) {
    if (was == null || is == null) {
      return Effect.REFUSED;
    }
    if (name.equals(PlanDescription.FED_BY)) {
      return fedBy(sides(was), sides(is), feeds);
    }
    return was.acceptable() && is.acceptable() ? Effect.REINTERPRETED : Effect.REFUSED;
  }

  private record Reading(Feeds feeds, Formats formats) {}

  /// What may feed an operator: inputs that the plan before did not read, and the exchanges it had.
  private record Feeds(Set<String> newInputs, Set<String> exchanges) {}

  /// An operator may be fed by more than before: by new inputs alone, of which nothing was read, it
  /// grows. Where it is fed by something else, its state is of other records than those to come.
  /// What lies unread in an exchange that no longer feeds it would be missing, and sides of a join
  /// that change places would be taken for each other.
  private static Effect fedBy(List<Set<String>> was, List<Set<String>> is, Feeds feeds) {
    if (was.size() != is.size()) {
      return Effect.REFUSED;
    }
    Effect effect = Effect.GROWS;
    for (int side = 0; side < is.size(); side++) {
      Set<String> lost = new TreeSet<>(was.get(side));
      lost.removeAll(is.get(side));
      Set<String> gained = new TreeSet<>(is.get(side));
      gained.removeAll(was.get(side));
      if (!Collections.disjoint(lost, feeds.exchanges)) {
        return Effect.REFUSED;
      }
      if (!lost.isEmpty() || !feeds.newInputs.containsAll(gained)) {
        effect = Effect.REINTERPRETED;
      }
      for (int other = 0; other < was.size(); other++) {
        if (!Collections.disjoint(gained, was.get(other))) {
          return Effect.REFUSED;
        }
      }
    }
    return effect;
  }

  private static List<Set<String>> sides(Parameter fedBy) {
    List<Set<String>> sides = new ArrayList<>();
    for (String side : fedBy.value().split(Pattern.quote(PlanDescription.SIDE), -1)) {
      sides.add(new TreeSet<>(List.of(side.split(Pattern.quote(PlanDescription.AND), -1))));
    }
    return sides;
  }

  private static Map<String, Parameter> parameters(Part part) {
    return part.parameters().all().stream()
        .collect(
            Collectors.toMap(
                Parameter::name, parameter -> parameter, (_, last) -> last, LinkedHashMap::new));
  }

  private static String clause(String name, @Nullable Parameter was, @Nullable Parameter is) {
    String old = was == null ? "not set" : was.value();
    String now = is == null ? "not set" : is.value();
    return "%s was %s, is %s".formatted(name, around(old, now), around(now, old));
  }

  /// A long value near where it differs from another one.
  private static String around(String value, String other) {
    if (value.length() <= LONGEST) {
      return value;
    }
    int at = 0;
    while (at < Math.min(value.length(), other.length()) && value.charAt(at) == other.charAt(at)) {
      at++;
    }
    int from = Math.max(0, at - BEFORE_DIFFERENCE);
    int to = Math.min(value.length(), from + LONGEST);
    return (from > 0 ? "…" : "") + value.substring(from, to) + (to < value.length() ? "…" : "");
  }

  /// Returns whether there is no change.
  public boolean isNone() {
    return changes.isEmpty();
  }

  /// Returns whether the application may go on from its state, if a person says so.
  public boolean isPossible() {
    return changes.stream().noneMatch(each -> each.effect == Effect.REFUSED);
  }

  /// Returns whether the plan reads more than the one before and is the same otherwise, so that
  /// nobody needs to be asked.
  public boolean isGrowth() {
    return !isNone() && changes.stream().allMatch(each -> each.effect == Effect.GROWS);
  }

  /// Returns whether state means what it meant wherever it is gone on with.
  public boolean keepsMeaning() {
    return changes.stream()
        .noneMatch(each -> each.effect == Effect.REFUSED || each.effect == Effect.REINTERPRETED);
  }

  /// Returns whether state cannot be gone on with as there are more or fewer partitions.
  public boolean isOfPartitions() {
    return changes.stream()
        .anyMatch(each ->
            each.effect == Effect.REFUSED && each.parameter.equals(PlanDescription.PARTITIONS));
  }

  /// Returns what the changes do to the state, in sentences.
  public String consequences() {
    StringBuilder text = new StringBuilder();
    for (Effect effect : Effect.values()) {
      if (changes.stream().anyMatch(each -> each.effect == effect)) {
        text.append(text.isEmpty() ? "" : " ").append(effect.sentence);
      }
    }
    return text.toString();
  }

  /// Returns the changes that are told: without those that follow from others.
  List<Change> told() {
    List<Change> told =
        changes.stream()
            .filter(change -> !change.follows || change.effect == Effect.REFUSED && onlyFollowing())
            .toList();
    return told.isEmpty() ? changes : told;
  }

  /// Returns these, one a line.
  public List<String> lines() {
    List<String> told =
        told().stream().map(change -> change.effect.sign + " " + change.text).toList();
    if (told.size() <= MOST) {
      return told;
    }
    List<String> first = new ArrayList<>(told.subList(0, MOST));
    first.add("and " + (told.size() - MOST) + " more");
    return first;
  }

  /// Returns whether all that is refused follows from other changes.
  private boolean onlyFollowing() {
    return changes.stream().noneMatch(each -> each.effect == Effect.REFUSED && !each.follows);
  }
}
