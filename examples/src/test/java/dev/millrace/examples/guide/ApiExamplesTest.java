package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/// The examples in the documentation comments of the API compile, with what [Shown] has.
class ApiExamplesTest {
  private static final Path API = Path.of("../api/src/main/java");
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final String HEAD =
      """
      package dev.millrace.examples.guide;

      import static dev.millrace.api.Windows.*;
      import static dev.millrace.api.With.*;
      import static dev.millrace.json.Json.json;
      import static java.nio.charset.StandardCharsets.UTF_8;
      import static java.time.Duration.*;

      import dev.millrace.api.*;
      import dev.millrace.api.connector.*;
      import dev.millrace.api.function.Record;
      import dev.millrace.api.serde.*;
      import java.time.*;
      import java.util.*;
      import java.util.regex.Pattern;

      abstract class Examples extends Shown {
      """;

  @Test
  void everyExampleCompiles() throws IOException {
    List<String> examples = examples();
    assertTrue(examples.size() > 100, examples.size() + " examples were found");
    assertEquals("", errors(examples));
  }

  @Test
  void anExampleThatDoesNotCompileIsReported() {
    String errors = errors(List.of("orders.count(\"a key is missing\")"));
    assertTrue(errors.contains("a key is missing"), errors);
  }

  private static List<String> examples() throws IOException {
    List<String> examples = new ArrayList<>();
    try (Stream<Path> files = Files.walk(API)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        if (file.toString().endsWith(".java")) {
          Matcher shown = EXAMPLE.matcher(comments(Files.readString(file)));
          while (shown.find()) {
            examples.add(shown.group(1));
          }
        }
      }
    }
    return examples;
  }

  /// The text of the documentation comments; other lines are empty.
  private static String comments(String source) {
    StringBuilder comments = new StringBuilder();
    for (String line : source.split("\n")) {
      String text = line.strip();
      comments.append(text.startsWith("/// ") ? text.substring(4) : "").append('\n');
    }
    return comments.toString();
  }

  /// What the compiler says of the examples, each with its text; empty if all compile.
  private static String errors(List<String> examples) {
    StringBuilder source = new StringBuilder(HEAD);
    for (int i = 0; i < examples.size(); i++) {
      String body = examples.get(i).replaceAll("import static .*;\n", "").strip();
      source
          .append("  void example%d() {\n".formatted(i))
          .append(body.endsWith(";") || body.endsWith("}") ? body : body + ";")
          .append("\n  }\n");
    }
    source.append("}\n");
    return compile(source.toString());
  }

  private static String compile(String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of("-proc:none", "-d", "target/tmp", "-cp", System.getProperty("java.class.path"));
    compiler
        .getTask(new StringWriter(), null, found, options, null, List.of(new Source(source)))
        .call();
    StringBuilder errors = new StringBuilder();
    String[] lines = source.split("\n");
    for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
      if (each.getKind() == Diagnostic.Kind.ERROR) {
        errors
            .append(lines[(int) each.getLineNumber() - 1].strip())
            .append(": ")
            .append(each.getMessage(null))
            .append('\n');
      }
    }
    return errors.toString();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///dev/millrace/examples/guide/Examples.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }
}
