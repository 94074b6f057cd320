package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.house.planted.size.Wide;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The API stays so small that an author can know it: a limit is raised on purpose, or not at all.
class ApiSizeTest {
  private static final Set<String> PACKAGES =
      Set.of("dev.millrace.api", "dev.millrace.api.function", "dev.millrace.api.serde");
  private static final int MOST_TYPES = 57;
  private static final int MOST_METHODS = 25;

  /// Types that have more. Those of serdes are a list to choose from.
  private static final Map<String, Integer> MORE_METHODS = Map.of("Serdes", 39);

  private final TreeMap<String, Integer> methods =
      ApiSize.methodsOfTypes(CompiledModules.read().ofModules().get("api"), PACKAGES);

  @Test
  void thereAreFewTypes() {
    assertTrue(
        methods.size() <= MOST_TYPES,
        "%d types, at most %d are wanted: %s"
            .formatted(methods.size(), MOST_TYPES, methods.keySet()));
  }

  @Test
  void noTypeHasManyMethods() {
    Map<String, Integer> more = new TreeMap<>(methods);
    more.entrySet()
        .removeIf(
            type -> type.getValue() <= MORE_METHODS.getOrDefault(type.getKey(), MOST_METHODS));
    assertEquals(Map.of(), more);
  }

  @Test
  void publicTypesAndMethodsAreCounted() {
    assertTrue(methods.get("KeyedStream") > 10, methods.toString());
    Map<String, Integer> planted =
        ApiSize.methodsOfTypes(
            new ClassFileImporter().importClasses(Wide.class, ApiSizeTest.class),
            Set.of(Wide.class.getPackageName(), ApiSizeTest.class.getPackageName()));
    assertEquals(Map.of("Wide", 3), planted);
  }
}
