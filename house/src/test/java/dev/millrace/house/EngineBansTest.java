package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.internal.engine.planted.Allowed;
import dev.millrace.internal.engine.planted.Banned;
import dev.millrace.internal.engine.planted.BannedThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EngineBansTest {

  @Test
  void theEngineReachesForNothingThatIsHandedIn() {
    Reactor reactor = Reactor.find();
    JavaClasses engine = CompiledModules.read().ofModules().get("engine");
    if (engine == null) {
      assertTrue(
          reactor.modules().stream()
              .anyMatch(each -> each.name().equals("engine") && each.mainSources().isEmpty()),
          "the module engine was not found");
      return;
    }

    assertEquals("", String.join("\n", EngineBans.violations(engine)));
  }

  @Test
  void everyPlantedMethodIsReported() {
    Set<String> found = EngineBans.violations(planted(Banned.class));

    List<String> missed = new ArrayList<>();
    for (var method : Banned.class.getDeclaredMethods()) {
      String name = Banned.class.getName() + "." + method.getName() + "(";
      if (!method.isSynthetic() && found.stream().noneMatch(each -> each.contains(name))) {
        missed.add(method.getName());
      }
    }
    assertEquals(List.of(), missed);
    assertTrue(Banned.class.getDeclaredMethods().length >= 40, "the planted methods are seen");
  }

  @Test
  void everyBanReportsSomethingPlanted() {
    JavaClass banned = planted(Banned.class).get(Banned.class);

    for (EngineBans.Ban ban : EngineBans.ALL) {
      assertFalse(EngineBans.violations(ban, banned).isEmpty(), ban.what());
    }
  }

  @Test
  void aThreadByInheritanceIsReported() {
    assertFalse(EngineBans.violations(planted(BannedThread.class)).isEmpty());
  }

  @Test
  void whatIsHandedInOrHasAnOrderIsAllowed() {
    assertEquals(Set.of(), EngineBans.violations(planted(Allowed.class)));
  }

  @Test
  void theBansAreForTheEngineOnly() {
    JavaClasses outside = new ClassFileImporter().importClasses(SourceTree.class, Ran.class);

    assertEquals(Set.of(), EngineBans.violations(outside));
  }

  private static JavaClasses planted(Class<?> type) {
    return new ClassFileImporter().importClasses(type);
  }
}
