package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.house.planted.concerns.MakesAConfig;
import dev.millrace.house.planted.concerns.OneConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConcernsTest {
  @Test
  void recordsOfSettingsAreMadeFromTheirDefaults() {
    JavaClasses all = CompiledModules.read().all();
    assertTrue(all.stream().filter(Concerns::isConcern).count() >= 13);
    assertEquals("", String.join("\n", Concerns.violations(all)));
  }

  @Test
  void oneThatIsMadeElsewhereIsReported() {
    List<String> found =
        Concerns.violations(
            new ClassFileImporter().importClasses(MakesAConfig.class, OneConfig.class));
    assertEquals(1, found.size(), found.toString());
    assertTrue(found.getFirst().contains("MakesAConfig"), found.toString());
  }
}
