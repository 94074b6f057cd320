package dev.millrace.internal.engine.plan;

import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.Parameters.Parameter;
import dev.millrace.internal.engine.topology.Fingerprint;
import dev.millrace.internal.engine.topology.Renames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// All of a plan that gives its state, and what is on its way between its tasks, their meaning: what
/// is kept of a plan, to tell later whether another one goes on from that.
///
/// Its text is what is durable: a line for each part and, indented, for each of its parameters.
///
///     millrace plan 1
///     operator per-minute
///       kind = windows
///       size = 1m
///     exchange by-customer
///       code of the key function ~ 5c1b0a2e7d9f3a84
///
/// A value that a person may accept another one for stands behind `~`, any other behind `=`; a line's end and a backslash in it are
/// written as `\n` and `\\`; so is a carriage return, `\r`. What an earlier plan had and this one does not stands behind the others, as
/// `parked operator per-minute`: its state and its numbers are kept.
///
/// @param parts in the plan's order
public record PlanDescription(List<Part> parts) {
  private static final String HEAD = "millrace plan 1";

  /// Of an input: whether it is read as a table only, which is nothing without its past.
  static final String TABLE = "table";

  /// Stands behind the name of what several stages have.
  static final String OF_STAGE = " of stage ";

  private static final String INDENT = "  ";
  private static final String PARKED = "parked ";
  private static final String EQUALS = " = ";
  private static final String MAY_BE = " ~ ";

  /// The parameter that names the inputs, exchanges and operators before another part.
  static final String FED_BY = "fed by";

  /// The parameter that says how many partitions a stage, an input or an exchange has.
  static final String PARTITIONS = "partitions";

  /// The parameter of an input and of an operator that names its stage.
  static final String STAGE = "stage";

  /// The parameter of an exchange that names the stage that feeds it.
  static final String FROM_STAGE = "from stage";

  /// The parameter of an exchange that names the stage that it feeds.
  static final String TO_STAGE = "to stage";

  /// The parameter of a store with its number.
  static final String NUMBER = "number";

  /// Before what has a serde: the parameter with the id of that.
  static final String SERDE_OF = "serde of ";

  /// Before what has a serde: the parameter with the schema of that.
  static final String SCHEMA_OF = "schema of ";

  /// What stores keep and exchanges carry.
  static final String VALUES = "values";

  static final String SERDE_OF_VALUES = SERDE_OF + VALUES;
  static final String SCHEMA_OF_VALUES = SCHEMA_OF + VALUES;

  /// The parameter of a store that names its operator.
  static final String OWNER = "operator";

  /// The parameter of an exchange whose topic is called after an earlier name of it.
  static final String TOPIC_OF = "topic of";

  /// Between those of one side of it.
  static final String AND = " + ";

  /// Between its sides.
  static final String SIDE = " | ";

  /// The parameter of an input that says whether it is a broadcast table.
  static final String READ_BY_ALL = "every task reads all";

  /// Returns the name of a part; with its stage, if several stages have it.
  static String placed(String name, boolean broadcast, int stage) {
    return broadcast ? name + OF_STAGE + stage : name;
  }

  private static String placed(String name, UnaryOperator<String> rename) {
    String bare = unplaced(name);
    return rename.apply(bare) + name.substring(bare.length());
  }

  /// Returns the name of a part without its stage.
  private static String unplaced(String name) {
    int place = name.indexOf(OF_STAGE);
    return place < 0 ? name : name.substring(0, place);
  }

  /// What a part is.
  public enum Kind {
    APPLICATION,
    STAGE,
    INPUT,
    OPERATOR,
    STORE,
    EXCHANGE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// @param name unique among those of its kind
  /// @param parked whether an earlier plan had it and this one does not
  public record Part(Kind kind, String name, Parameters parameters, boolean parked) {
    public Part(Kind kind, String name, Parameters parameters) {
      this(kind, name, parameters, false);
    }

    /// Returns the same part, parked.
    Part park() {
      return new Part(kind, name, parameters, true);
    }

    /// Returns the same part under the names of a later version.
    private Part renamed(Renames renames) {
      return switch (kind) {
        case APPLICATION, STAGE, INPUT -> this;
        case OPERATOR -> named(placed(name, renames::operator), fedBy(renames));
        case STORE -> {
          String operator = value(OWNER);
          String owner = placed(operator, renames::operator);
          yield named(
              placed(name, each -> renames.store(each, unplaced(operator))),
              parameters.replacing(OWNER, owner));
        }
        case EXCHANGE -> {
          String later = renames.exchange(name);
          Parameters fed = fedBy(renames);
          yield named(
              later,
              later.equals(name) || !value(TOPIC_OF).isEmpty() ? fed : fed.with(TOPIC_OF, name));
        }
      };
    }

    /// Returns what stays the same when the part is renamed, and its name.
    private List<String> identities() {
      String name = kind + this.name;
      return switch (kind) {
        case STORE -> List.of(name, "number " + value(NUMBER));
        case EXCHANGE ->
            List.of(name, "topic " + (value(TOPIC_OF).isEmpty() ? this.name : value(TOPIC_OF)));
        case APPLICATION, STAGE, INPUT, OPERATOR -> List.of(name);
      };
    }

    private Part named(String later, Parameters laterParameters) {
      return new Part(kind, later, laterParameters, parked);
    }

    /// Returns the parameters with the later names of what feeds the part. An input, an exchange
    /// and an operator may have one name; of an input it does not change.
    private Parameters fedBy(Renames renames) {
      List<String> sides = new ArrayList<>();
      for (String side : value(FED_BY).split(Pattern.quote(SIDE), -1)) {
        List<String> names = new ArrayList<>();
        for (String each : side.split(Pattern.quote(AND), -1)) {
          String operator = renames.operator(each);
          names.add(operator.equals(each) ? renames.exchange(each) : operator);
        }
        sides.add(String.join(AND, names));
      }
      return parameters.replacing(FED_BY, String.join(SIDE, sides));
    }

    /// Returns the value of a parameter; empty if the part does not have it.
    String value(String parameter) {
      for (Parameter each : parameters.all()) {
        if (each.name().equals(parameter)) {
          return each.value();
        }
      }
      return "";
    }

    /// Returns the schema of the values; the id of their serde if that says all, and empty if the
    /// part has no values.
    String schemaOfValues() {
      String schema = value(SCHEMA_OF_VALUES);
      return schema.isEmpty() ? value(SERDE_OF_VALUES) : schema;
    }
  }

  public PlanDescription {
    parts = List.copyOf(parts);
  }

  /// Returns the same plan under the names that a later version of the application has for its
  /// parts. Where a name is taken already, the part keeps its own. An exchange keeps its topic.
  PlanDescription renamed(Renames renames) {
    if (renames.names().isEmpty()) {
      return this;
    }
    List<Part> all = new ArrayList<>();
    for (Part part : parts) {
      Part other = part.renamed(renames);
      boolean taken =
          !other.name.equals(part.name)
              && parts.stream()
                  .anyMatch(each -> each.kind == part.kind && each.name.equals(other.name));
      all.add(taken ? part : other);
    }
    return new PlanDescription(all);
  }

  /// Returns this plan's description with what only an earlier plan had, parked.
  PlanDescription parking(PlanDescription before) {
    Set<String> here = new TreeSet<>();
    parts.forEach(part -> here.add(part.kind + " " + part.name));
    List<Part> all = new ArrayList<>(parts);
    for (Part part : before.parts) {
      if (!here.contains(part.kind + " " + part.name)) {
        all.add(part.park());
      }
    }
    return new PlanDescription(all);
  }

  /// Returns this plan as it is when an application returns to it from a later one: what only the
  /// later one had is parked.
  public PlanDescription returnedTo(PlanDescription later) {
    Set<String> here = new TreeSet<>();
    parts.forEach(part -> part.identities().forEach(here::add));
    List<Part> all = new ArrayList<>(parts);
    for (Part part : later.parts) {
      List<String> identities =
          part.kind == Kind.OPERATOR ? later.stores(part.name) : part.identities();
      if (here.stream().noneMatch(identities::contains) && !here.contains(part.kind + part.name)) {
        all.add(part.park());
      }
    }
    return new PlanDescription(all);
  }

  /// Returns what parts of this plan are called in a later one, by their numbers and topics.
  Renames renamesTo(PlanDescription later) {
    Map<String, Part> here = new TreeMap<>();
    parts.forEach(part -> here.put(part.identities().getLast(), part));
    Map<String, String> names = new TreeMap<>();
    for (Part part : later.parts) {
      Part was = here.get(part.identities().getLast());
      if (was != null && (part.kind == Kind.STORE || part.kind == Kind.EXCHANGE)) {
        names.put(unplaced(was.name), unplaced(part.name));
        names.put(unplaced(was.value(OWNER)), unplaced(part.value(OWNER)));
      }
    }
    names.entrySet().removeIf(each -> each.getKey().equals(each.getValue()));
    return new Renames(names);
  }

  /// Returns whether the stores and exchanges that both plans have keep and carry values of the
  /// same formats.
  public boolean hasFormatsOf(PlanDescription other) {
    Map<String, String> formats = new TreeMap<>();
    parts.forEach(part -> formats.put(part.identities().getLast(), part.schemaOfValues()));
    return other.parts.stream()
        .allMatch(part -> {
          String schema = part.schemaOfValues();
          return schema.equals(formats.getOrDefault(part.identities().getLast(), schema));
        });
  }

  private List<String> stores(String operator) {
    return parts.stream()
        .filter(part -> part.kind == Kind.STORE && part.value(OWNER).equals(operator))
        .flatMap(part -> part.identities().stream())
        .toList();
  }

  /// A number for all of it but what can be accepted, and inputs, of which there may be more: of
  /// another one, state cannot be gone on with.
  public long version() {
    Fingerprint fingerprint = new Fingerprint();
    for (Part part : parts) {
      if (part.kind == Kind.INPUT || part.parked) {
        continue;
      }
      fingerprint.add(part.kind.word()).add(part.name);
      for (Parameter parameter : part.parameters.all()) {
        if (!parameter.acceptable() && !parameter.name().equals(FED_BY)) {
          fingerprint.add(parameter.name()).add(parameter.value());
        }
      }
    }
    return fingerprint.value();
  }

  /// Returns how many partitions inputs are planned with that have these now: where an input has
  /// got more, as many as it had.
  Map<String, Integer> planned(Map<String, Integer> now) {
    Map<String, Integer> planned = new TreeMap<>(now);
    for (Part part : parts) {
      if (part.kind == Kind.INPUT) {
        int before = Integer.parseInt(part.value(PARTITIONS));
        planned.computeIfPresent(unplaced(part.name), (_, count) -> Math.min(count, before));
      }
    }
    return planned;
  }

  /// Returns how many numbers of tasks the plan gives, those of parked stages included.
  public int slots() {
    return new Numbering(this).slots();
  }

  /// Returns the numbers of the stores that an earlier plan had and this one does not.
  public Set<Integer> parkedStores() {
    return new TreeSet<>(parkedByName().values());
  }

  /// Returns the ids of the serdes of the values that exchanges carry, by name.
  Map<String, String> carried() {
    Map<String, String> carried = new TreeMap<>();
    for (Part part : parts) {
      if (part.kind == Kind.EXCHANGE) {
        carried.put(part.name, part.value(SERDE_OF_VALUES));
      }
    }
    return carried;
  }

  /// Returns the numbers of the stores that an earlier plan had and this one does not, by name.
  public Map<String, Integer> parkedByName() {
    Map<String, Integer> numbers = new TreeMap<>();
    for (Part part : parts) {
      if (part.kind == Kind.STORE && part.parked) {
        numbers.put(part.name, Integer.valueOf(part.value(NUMBER)));
      }
    }
    return numbers;
  }

  /// Returns the names of all stores, parked ones included, by number.
  public SortedMap<Integer, String> storeNames() {
    SortedMap<Integer, String> names = new TreeMap<>();
    for (Part part : parts) {
      if (part.kind == Kind.STORE) {
        names.put(Integer.valueOf(part.value(NUMBER)), part.name);
      }
    }
    return names;
  }

  /// The streams that are read as tables only, in order.
  public Set<String> tables() {
    List<Parameter> said = Parameters.NONE.with(TABLE, true).all();
    return inputs(part -> part.parameters.all().containsAll(said));
  }

  /// The streams that are read, in order.
  public Set<String> inputs() {
    return inputs(_ -> true);
  }

  /// A number for the set of streams that are read, as 16 digits.
  public String inputsHash() {
    Fingerprint fingerprint = new Fingerprint();
    inputs().forEach(fingerprint::add);
    return fingerprint.text();
  }

  private Set<String> inputs(Predicate<Part> wanted) {
    Set<String> streams = new TreeSet<>();
    for (Part part : parts) {
      if (part.kind == Kind.INPUT && !part.parked && wanted.test(part)) {
        streams.add(part.name.split(OF_STAGE, 2)[0]);
      }
    }
    return streams;
  }

  /// A number for all of it, as 16 digits.
  public String hash() {
    return new Fingerprint().add(text()).text();
  }

  /// The durable form.
  public String text() {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    for (Part part : parts) {
      text.append(part.parked ? PARKED : "")
          .append(part.kind.word())
          .append(' ')
          .append(escaped(part.name))
          .append('\n');
      for (Parameter parameter : part.parameters.all()) {
        text.append(INDENT)
            .append(parameter.name())
            .append(parameter.acceptable() ? MAY_BE : EQUALS)
            .append(escaped(parameter.value()))
            .append('\n');
      }
    }
    return text.toString();
  }

  /// What [#text] gave.
  ///
  /// @throws IllegalArgumentException if it is no description, or one of a later version
  public static PlanDescription parse(String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
      throw new IllegalArgumentException(
          "It begins with '%s' instead of '%s', so another version of Millrace wrote it."
              .formatted(lines.isEmpty() ? "" : lines.getFirst(), HEAD));
    }
    List<Part> parts = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith(INDENT) && !parts.isEmpty()) {
        Part last = parts.removeLast();
        parts.add(
            new Part(last.kind, last.name, last.parameters.and(parameter(line)), last.parked));
      } else {
        parts.add(part(line));
      }
    }
    return new PlanDescription(parts);
  }

  private static Part part(String line) {
    if (line.startsWith(PARKED)) {
      return part(line.substring(PARKED.length())).park();
    }
    for (Kind kind : Kind.values()) {
      if (line.startsWith(kind.word() + " ")) {
        String name = unescaped(line.substring(kind.word().length() + 1));
        return new Part(kind, name, Parameters.NONE);
      }
    }
    throw malformed(line);
  }

  private static Parameters parameter(String line) {
    int equals = line.indexOf(EQUALS);
    int mayBe = line.indexOf(MAY_BE);
    boolean acceptable = mayBe >= 0 && (equals < 0 || mayBe < equals);
    int at = acceptable ? mayBe : equals;
    if (at < 0) {
      throw malformed(line);
    }
    String name = line.substring(INDENT.length(), at);
    String value = unescaped(line.substring(at + EQUALS.length()));
    return acceptable
        ? Parameters.NONE.withAcceptable(name, value)
        : Parameters.NONE.with(name, value);
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescaped(String escaped) {
    StringBuilder value = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c != '\\') {
        value.append(c);
      } else if (++i < escaped.length()) {
        char after = escaped.charAt(i);
        value.append(after == 'n' ? '\n' : after == 'r' ? '\r' : after);
      }
    }
    return value.toString();
  }

  private static IllegalArgumentException malformed(String line) {
    return new IllegalArgumentException("It has the line '" + line + "', which is unknown.");
  }
}
