package dev.millrace.internal.engine.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.Windows;
import dev.millrace.api.Within;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.plan.PlanRows.Row;
import dev.millrace.internal.engine.topology.Node;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each parameter of each operator changed, one at a time: what gives state its meaning is told,
/// and nothing else.
class PlanParametersTest {

  /// Of the plans' meaning all are parts; these have none of their own, as others of the same
  /// record say it.
  private static final Set<String> SAID_OTHERWISE =
      Set.of(
          "Tumbling.timing",
          "Hopping.timing",
          "Calendar.timing",
          "Session.timing",
          "Sliding.timing",
          "Sized.timing",
          "Counted.timing",
          "All.timing");

  /// The rows where another name makes another part, beside which the one before is parked.
  private static final Set<String> ANOTHER_PART =
      Set.of("one operator less", "StoreSpec.name", "name of an exchange");

  /// The rows with which an application may go on from its state, if a person says so.
  private static final Set<String> POSSIBLE =
      Set.of("one operator less", "StoreSpec.name", "name of an exchange", "source of a table");

  private static List<Row> rows() {
    return Stream.of(PlanRows.windows(), OperatorRows.operators(), OperatorRows.formats())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Row> acceptable() {
    List<Row> all = new ArrayList<>(PlanRows.functions());
    all.add(OperatorRows.timeToLive());
    return all;
  }

  @Test
  void whatGivesStateItsMeaningIsToldWithOperatorAndBothValues() {
    for (Row row : rows()) {
      Plan was = row.was();
      Plan is = row.is();
      PlanDiff difference = PlanDiff.between(was.description(), is.description());
      assertEquals(isOfInputs(difference), was.version() == is.version(), row.covers());
      assertFalse(difference.isGrowth(), row.covers());
      String told = String.join("\n", difference.lines());
      for (String part : row.told()) {
        assertTrue(told.contains(part), row.covers() + ": no '" + part + "' in\n" + told);
      }
      assertFalse(difference.isNone(), row.covers());
      assertEquals(POSSIBLE.contains(row.covers()), difference.isPossible(), told);
      assertEquals(ANOTHER_PART.contains(row.covers()), difference.keepsMeaning(), told);
    }
  }

  /// Whether only what is read differs, or where it goes, which is not in the number of the plan.
  private static boolean isOfInputs(PlanDiff difference) {
    return difference.changes().stream()
        .allMatch(each -> each.text().startsWith("input ") || each.text().contains(": fed by "));
  }

  @Test
  void whatCanBeAcceptedIsToldAndIsNotInTheNumberOfThePlan() {
    for (Row row : acceptable()) {
      PlanDiff difference = PlanDiff.between(row.was().description(), row.is().description());
      String told = String.join("\n", difference.lines());
      for (String part : row.told()) {
        assertTrue(told.contains(part), row.covers() + ": no '" + part + "' in\n" + told);
      }
      assertTrue(difference.isPossible(), told);
      assertFalse(difference.keepsMeaning(), told);
      // So the commit record does not speak against what was accepted.
      assertEquals(row.was().version(), row.is().version(), row.covers());
      assertNotEquals(row.was().description().hash(), row.is().description().hash(), row.covers());
    }
  }

  @Test
  void nothingElseMakesADifference() {
    for (Row row : PlanRows.indifferent()) {
      assertEquals(row.was().description().text(), row.is().description().text(), row.covers());
      assertTrue(PlanDiff.between(row.was().description(), row.is().description()).isNone());
    }
  }

  /// The same program, described again, is the same plan.
  @Test
  void theSameProgramHasTheSameDescription() {
    for (Row row : everything()) {
      assertEquals(row.was().description().text(), row.was().description().text());
      assertEquals(row.is().description(), PlanDescription.parse(row.is().description().text()));
    }
  }

  private static List<Row> everything() {
    List<Row> all = new ArrayList<>(rows());
    all.addAll(acceptable());
    all.addAll(PlanRows.indifferent());
    return all;
  }

  @Test
  void everyKindOfNodeHasARow() {
    Set<String> seen =
        everything().stream()
            .flatMap(row -> Stream.of(row.was(), row.is()))
            .flatMap(plan -> plan.stages().stream())
            .flatMap(stage -> stage.nodes().stream())
            .map(node -> node.getClass().getSimpleName())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(names(Node.class.getPermittedSubclasses()), seen);
  }

  @Test
  void everyOperatorHasARow() throws IOException, URISyntaxException {
    Set<String> seen = new TreeSet<>();
    for (Row row : everything()) {
      for (Plan.Stage stage : row.was().stages()) {
        for (Node node : stage.nodes()) {
          if (node instanceof Node.Stateful stateful) {
            seen.add(stateful.declared().factory().create().getClass().getSimpleName());
          }
        }
      }
    }
    assertEquals(operators(), seen);
  }

  /// The classes of operators there are.
  private static Set<String> operators() throws IOException, URISyntaxException {
    Path classes =
        Path.of(Operator.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path directory = classes.resolve(Operator.class.getPackageName().replace('.', '/'));
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.startsWith("package-info")) {
          Class<?> type = load(classes.relativize(file));
          if (Operator.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
            names.add(type.getSimpleName());
          }
        }
      }
    }
    return names;
  }

  /// @param file of a class, from where classes lie
  private static Class<?> load(Path file) {
    String path = file.toString().replace(file.getFileSystem().getSeparator(), ".");
    try {
      return Class.forName(path.substring(0, path.length() - ".class".length()));
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /// A new kind of windows, or a new component of one, has to be decided on, too.
  @Test
  void everyComponentOfWindowsJoinsAndStoresHasARow() {
    Set<String> covered =
        everything().stream().map(Row::covers).collect(Collectors.toCollection(TreeSet::new));
    covered.addAll(SAID_OTHERWISE);
    Set<String> missing = new TreeSet<>();
    Stream.of(
            Arrays.stream(Windows.class.getPermittedSubclasses()),
            Arrays.stream(Within.class.getPermittedSubclasses()),
            Stream.of(Windows.Timing.class, StoreSpec.class))
        .flatMap(types -> types)
        .forEach(type -> {
          for (RecordComponent component : type.getRecordComponents()) {
            missing.add(type.getSimpleName() + "." + component.getName());
          }
        });
    missing.removeAll(covered);
    assertEquals(Set.of(), missing);
  }

  private static Set<String> names(Class<?>[] types) {
    return Arrays.stream(types)
        .map(Class::getSimpleName)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
