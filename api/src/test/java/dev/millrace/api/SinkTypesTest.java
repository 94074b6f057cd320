package dev.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/// Which streams may be written to which sinks is said by types.
class SinkTypesTest {
  private static final String TEXTS =
      "Kafka.sink(\"o\").key(Serdes.string()).value(Serdes.string())";
  private static final String NUMBERS =
      "Kafka.sink(\"o\").key(Serdes.longs()).value(Serdes.string())";
  private static final String PLAIN = "Kafka.sink(\"o\").value(Serdes.string())";
  private static final String BY_VALUE = NUMBERS + ".key(text -> (long) text.length())";

  private static final class Program extends SimpleJavaFileObject {
    private final String text;

    private Program(String statement) {
      super(URI.create("string:///Program.java"), Kind.SOURCE);
      text =
          """
          import dev.millrace.api.*;
          import dev.millrace.api.serde.Serdes;
          import java.util.List;
          class Program {
            void run(Stream<String> plain, KeyedStream<String, String> keyed, Table<String, String> table) {
              %s
            }
          }
          """
              .formatted(statement);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /// The errors of a compiler, without a class file.
  private static List<String> errors(String statement) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-proc:none", "-implicit:none", "-classpath", System.getProperty("java.class.path"));
    // Attribution is all there is to see; nothing is written.
    JavacTask task =
        (JavacTask)
            compiler.getTask(null, null, found, options, null, List.of(new Program(statement)));
    try {
      task.analyze();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.getDiagnostics().stream().map(each -> each.getMessage(null)).toList();
  }

  private static void fits(String stream, String sink) {
    String statement = "%s.to(%s);".formatted(stream, sink);
    assertEquals(List.of(), errors(statement), statement);
  }

  private static void isRefused(String statement) {
    assertTrue(
        errors(statement).stream().anyMatch(error -> error.contains("incompatible types")),
        () -> statement + " " + errors(statement));
  }

  @Test
  void anyStreamFitsWhereKeysAreBytesOrOfValues() {
    for (String stream : List.of("plain", "keyed", "table")) {
      fits(stream, PLAIN);
      fits(stream, BY_VALUE);
    }
    fits("plain", "text -> text, List.of(%s, %s)".formatted(PLAIN, BY_VALUE));
    fits("keyed", "text -> text, List.of(%s, %s)".formatted(PLAIN, TEXTS));
  }

  @Test
  void keysMustBeThoseOfTheStream() {
    fits("keyed", TEXTS);
    fits("table", TEXTS);
    isRefused("keyed.to(%s);".formatted(NUMBERS));
    isRefused("table.to(%s);".formatted(NUMBERS));
    isRefused("plain.to(%s);".formatted(TEXTS));
  }

  @Test
  void keysOfValuesAreSaidLast() {
    assertTrue(!errors("plain.to(%s.withDeletions());".formatted(BY_VALUE)).isEmpty());
  }
}
