package dev.millrace.internal.engine.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.function.Mapper;
import java.io.IOException;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When two functions are taken for the same.
class FunctionCodeTest {
  @TempDir Path directory;

  private static String code(Mapper<String, String> function) {
    return FunctionCode.of(function);
  }

  private static Mapper<String, String> first(int letters) {
    return value -> value.substring(0, letters);
  }

  private static Mapper<String, String> after(Mapper<String, String> inner) {
    return value -> inner.map(value).trim();
  }

  private static String lower(String value) {
    return value.toLowerCase(Locale.ROOT);
  }

  private static String upper(String value) {
    return value.toUpperCase(Locale.ROOT);
  }

  private static final class Cut implements Mapper<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String map(String value) {
      return value.substring(1);
    }
  }

  @Test
  void theSameInstructionsAreTheSame() {
    assertEquals(code(v -> v.substring(1)), code(word -> word.substring(1)));
    assertEquals(code(first(2)), code(first(2)));
    assertEquals(code(FunctionCodeTest::lower), code(FunctionCodeTest::lower));
    assertEquals(code(new Cut()), code(new Cut()));
    assertEquals(code(after(v -> v + "a")), code(after(v -> v + "a")));
    assertEquals(
        code(v -> List.of(v).stream().map(each -> each + 1).findFirst().orElse("")),
        code(v -> List.of(v).stream().map(each -> each + 1).findFirst().orElse("")));
  }

  @Test
  void otherInstructionsAreOthers() {
    List<String> codes = new ArrayList<>();
    List<Mapper<String, String>> functions =
        List.of(
            v -> v,
            v -> v.substring(1),
            v -> v.substring(2),
            v -> v.substring(40_000),
            v -> v.concat("a"),
            v -> v + "a",
            v -> v + "b",
            v -> v.isEmpty() ? v : "",
            v -> v.isEmpty() ? "" : v,
            v ->
                switch (v.length()) {
                  case 1 -> "a";
                  case 2 -> "b";
                  default -> "";
                },
            v ->
                switch (v.length()) {
                  case 1 -> "b";
                  case 2 -> "a";
                  default -> "";
                },
            v -> {
              try {
                return v.trim();
              } catch (IllegalStateException e) {
                return "";
              }
            },
            v -> {
              try {
                return v.trim();
              } catch (IllegalArgumentException e) {
                return "";
              }
            },
            v -> List.of(v).stream().map(each -> each + 1).findFirst().orElse(""),
            v -> List.of(v).stream().map(each -> each + 2).findFirst().orElse(""),
            first(2),
            first(3),
            after(v -> v),
            after(v -> v + "a"),
            FunctionCodeTest::lower,
            FunctionCodeTest::upper,
            String::trim,
            String::strip,
            String::new,
            new Cut());
    functions.forEach(function -> codes.add(code(function)));
    for (int i = 0; i < codes.size(); i++) {
      assertTrue(codes.get(i).matches("[0-9a-f]{16}"), codes.get(i));
      for (int j = 0; j < i; j++) {
        assertNotEquals(codes.get(i), codes.get(j), "functions " + j + " and " + i);
      }
    }
  }

  /// What is not part of the function makes no difference: lines, names, and what else is in the
  /// class.
  @Test
  void theSameSourceCompiledElsewhereIsTheSame() throws Exception {
    String function = "value -> java.util.List.of(value).stream().map(v -> v + %d).toList().get(0)";
    String before = "Mapper<String, String> other = v -> v; String text = \"some\" + other; ";
    String plain = compiled("plain", "", function.formatted(1), "-g:none");
    assertEquals(plain, compiled("debugged", "\n\n", function.formatted(1), "-g"));
    assertEquals(plain, compiled("moved", before, function.formatted(1), "-g:none"));
    assertNotEquals(plain, compiled("changed", "", function.formatted(2), "-g:none"));
  }

  private String compiled(String name, String before, String function, String option)
      throws IOException, ReflectiveOperationException {
    Path classes = Files.createDirectory(directory.resolve(name));
    Path source = classes.resolve("Program.java");
    Files.writeString(
        source,
        """
        import dev.millrace.api.function.Mapper;
        public class Program {
          public static Mapper<String, String> function() {
            %s return %s;
          }
        }
        """
            .formatted(before, function));
    int status =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
            .run(
                null,
                null,
                null,
                option,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                source.toString());
    assertEquals(0, status);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      Object made = loader.loadClass("Program").getMethod("function").invoke(null);
      return FunctionCode.of((Serializable) made);
    }
  }
}
