package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TidyTest {
  private static final Reactor REACTOR = Reactor.find();
  private static final List<SourceFile> SOURCES = new ArrayList<>();

  @BeforeAll
  static void readTheSources() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Path file : SourceTree.javaFiles(REACTOR.root())) {
      texts.put(REACTOR.shown(file), SourceTree.text(file));
    }
    SOURCES.addAll(SourceFile.parse(texts));
  }

  @Test
  void theSourcesAreSeen() {
    List<String> paths = SOURCES.stream().map(SourceFile::path).toList();

    assertTrue(paths.contains("api/src/main/java/dev/millrace/api/serde/Serde.java"));
    assertTrue(paths.contains("house/src/test/java/dev/millrace/house/TidyTest.java"));
    assertTrue(SourceTree.files(REACTOR.root()).contains(REACTOR.root().resolve("LICENSE")));
  }

  @Test
  void filesAreShort() {
    assertNone(TidyRules::longFiles);
  }

  @Test
  void methodsAreShort() {
    assertNone(TidyRules::longMethods);
  }

  @Test
  void constructorsTakeFewParameters() {
    assertNone(TidyRules::wideConstructors);
  }

  @Test
  void onlyTheOutermostLoopCatchesEverything() {
    assertNone(TidyRules::broadCatches);
  }

  @Test
  void noTestIsSkipped() {
    assertNone(TidyRules::skippedTests);
  }

  @Test
  void packagesAreNamedAfterWhatTheyHold() {
    assertNone(TidyRules::packagesNamedAfterNothing);
  }

  @Test
  void everyPackageIsNullMarked() {
    assertEquals("", String.join("\n", TidyRules.packagesNotNullMarked(SOURCES)));
  }

  @Test
  void noFileIsEmpty() {
    assertNoneInText(TidyRules::emptyFiles);
  }

  @Test
  void nothingIsLeftUnfinished() {
    assertNoneInText(TidyRules::marks);
  }

  @Test
  void noFileKnowsTheMachine() {
    assertNoneInText(TidyRules::machineNames);
  }

  private static void assertNone(Function<SourceFile, List<String>> rule) {
    List<String> found = new ArrayList<>();
    SOURCES.forEach(file -> found.addAll(rule.apply(file)));
    assertEquals("", String.join("\n", found));
  }

  private static void assertNoneInText(BiFunction<String, String, List<String>> rule) {
    List<String> found = new ArrayList<>();
    for (Path file : SourceTree.files(REACTOR.root())) {
      found.addAll(rule.apply(REACTOR.shown(file), SourceTree.text(file)));
    }
    assertEquals("", String.join("\n", found));
  }
}
