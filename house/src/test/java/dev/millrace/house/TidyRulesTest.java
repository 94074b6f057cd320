package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TidyRulesTest {
  private static final String MAIN = "api/src/main/java/dev/millrace/api/A.java";
  private static final String TEST = "api/src/test/java/dev/millrace/api/ATest.java";

  @Test
  void aFileOf501LinesIsReportedAndOneOf500IsNot() {
    String text = "class A {\n" + "\n".repeat(498) + "}\n";

    assertEquals(List.of(), TidyRules.longFiles(SourceFile.parse(MAIN, text)));
    assertEquals(
        List.of(MAIN + ": 501 lines, at most 500"),
        TidyRules.longFiles(SourceFile.parse(MAIN, "\n" + text)));
    assertEquals(List.of(), TidyRules.longFiles(SourceFile.parse(TEST, "\n" + text)));
  }

  @Test
  void aMethodOf61LinesIsReportedAndOneOf60IsNot() {
    String body = "\n".repeat(59) + "  }\n";

    SourceFile file =
        SourceFile.parse(
            MAIN,
            "class A {\n  /// Long\n  /// comment.\n  void ok() {"
                + body
                + "  @Deprecated\n  void tooLong() {"
                + body
                + "  A() {\n"
                + body
                + "}\n");

    assertEquals(
        List.of(
            MAIN + ":64: tooLong has 61 lines, at most 60",
            MAIN + ":125: <init> has 61 lines, at most 60"),
        TidyRules.longMethods(file));
  }

  @Test
  void aMethodInsideAnAnonymousClassIsSeen() {
    SourceFile file =
        SourceFile.parse(
            MAIN,
            "class A { Object o = new Object() { public String toString() {"
                + "\n".repeat(60)
                + " return null; } }; }");

    assertEquals(
        List.of(MAIN + ":1: toString has 61 lines, at most 60"), TidyRules.longMethods(file));
  }

  @Test
  void aConstructorOf8ParametersAndARecordOf13ComponentsAreReported() {
    SourceFile file =
        SourceFile.parse(
            MAIN,
            """
            class A {
              A(int a, int b, int c, int d, int e, int f, int g) {}
              A(int a, int b, int c, int d, int e, int f, int g, int h) {}
              record Ok(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l) {
                static int m;
                Ok {}
              }
              record Wide(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m) {}
            }
            """);

    assertEquals(
        List.of(
            MAIN + ":3: constructor of A has 8 parameters, at most 7",
            MAIN + ":8: record Wide has 13 components, at most 12"),
        TidyRules.wideConstructors(file));
  }

  @Test
  void aBroadCatchIsReportedUnlessItSaysWhyItIsOutermost() {
    SourceFile file =
        SourceFile.parse(
            MAIN,
            """
            class A {
              void a() {
                try { a(); } catch (Exception e) {}
                try { a(); } catch (final java.lang.Throwable _) {}
                try { a(); } catch (IllegalStateException | Error e) {}
                try { a(); }
                catch (RuntimeException e) {}
                try { a(); } catch (IllegalStateException | java.io.IOException e) {}
                // outermost: the worker ends and says why
                try { a(); } catch (Throwable e) {}
                try {
                  a();
                } catch (Throwable e) { // outermost: the worker ends and says why
                }
                // outermost: too far away

                try { a(); } catch (Throwable e) {}
                String s = "catch (Exception e)";
              }
            }
            """);

    String how = ": name what can happen, or say `// outermost: why` on the line above";
    assertEquals(
        List.of(
            MAIN + ":3: catches Exception" + how,
            MAIN + ":4: catches Throwable" + how,
            MAIN + ":5: catches Error" + how,
            MAIN + ":7: catches RuntimeException" + how,
            MAIN + ":17: catches Throwable" + how),
        TidyRules.broadCatches(file));
  }

  @Test
  void aSkippedTestIsReported() {
    SourceFile file =
        SourceFile.parse(
            TEST,
            """
            class ATest {
              @Test void a() {}
              @Disabled("later") @Test void b() {}
              @org.junit.jupiter.api.Disabled @Test void c() {}
              @DisabledIfEnvironmentVariable(named = "CI") @Test void d() {}
              @Ignore @Test void e() {}
            }
            """);

    assertEquals(
        List.of(
            TEST + ":3: @Disabled: a test runs or is removed",
            TEST + ":4: @Disabled: a test runs or is removed",
            TEST + ":5: @DisabledIfEnvironmentVariable: a test runs or is removed",
            TEST + ":6: @Ignore: a test runs or is removed"),
        TidyRules.skippedTests(file));
  }

  @Test
  void aPackageNamedAfterNothingIsReported() {
    SourceFile common = SourceFile.parse(MAIN, "package dev.millrace.common.text; class A {}");
    SourceFile ok = SourceFile.parse(MAIN, "package dev.millrace.commonality; class A {}");

    assertEquals(
        List.of(MAIN + ": package dev.millrace.common.text: a helper lives beside its user"),
        TidyRules.packagesNamedAfterNothing(common));
    assertEquals(List.of(), TidyRules.packagesNamedAfterNothing(ok));
  }

  @Test
  void aPackageWithoutNullMarkedIsReported() {
    String mark = "@NullMarked package p; import org.jspecify.annotations.NullMarked;";
    List<SourceFile> files =
        List.of(
            SourceFile.parse("a/src/main/java/good/A.java", "class A {}"),
            SourceFile.parse("a/src/main/java/good/package-info.java", mark),
            SourceFile.parse("a/src/main/java/bare/A.java", "class A {}"),
            SourceFile.parse("a/src/main/java/unmarked/package-info.java", "package p;"),
            SourceFile.parse("b/src/main/java/good/A.java", "class A {}"),
            SourceFile.parse("a/src/test/java/tests/A.java", "class A {}"));

    String objection = "package-info.java: missing, or without @NullMarked";
    assertEquals(
        List.of(
            "a/src/main/java/bare/" + objection,
            "a/src/main/java/unmarked/" + objection,
            "b/src/main/java/good/" + objection),
        TidyRules.packagesNotNullMarked(files));
  }

  @Test
  void aMarkOfUnfinishedWorkIsReported() {
    String mark = "TO" + "DO";

    assertEquals(
        List.of("README.md:2: " + mark + " is a mark of unfinished work"),
        TidyRules.marks("README.md", "a todo list\n// " + mark + " later\n"));
  }

  @Test
  void aPathOfAMachineAndTheHostOfARegistryAreReported() {
    String objection = " is a path of a machine or the host of a registry";
    String home = "/ho" + "me/j";
    String root = "/ro" + "ot/";
    String host = "repo1" + ".maven";
    String text =
        "in " + home + "ane/x\n" + root + ".m2\nhttps://" + host + ".org\n/ho" + "me/user/x\n";

    assertEquals(
        List.of("a:1: " + home + objection, "a:2: " + root + objection, "a:3: " + host + objection),
        TidyRules.machineNames("a", text));
  }

  @Test
  void filesHaveSomethingInThem() {
    assertEquals(List.of("A.java: has nothing in it"), TidyRules.emptyFiles("A.java", "\n "));
    assertEquals(List.of(), TidyRules.emptyFiles("A.java", "class A {}"));
  }
}
