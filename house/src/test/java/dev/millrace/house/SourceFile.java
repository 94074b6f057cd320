package dev.millrace.house;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// A Java file as the compiler reads it.
///
/// @param path from the root of the tree, with `/`
/// @param lines the text without line ends
record SourceFile(
    String path, List<String> lines, CompilationUnitTree unit, SourcePositions positions) {

  static SourceFile parse(String path, String text) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///" + path.replace(' ', '_')), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    JavacTask task =
        (JavacTask)
            compiler.getTask(null, null, diagnostics, List.of("-proc:none"), null, List.of(file));
    try {
      CompilationUnitTree unit = task.parse().iterator().next();
      for (Diagnostic<?> each : diagnostics.getDiagnostics()) {
        if (each.getKind() == Diagnostic.Kind.ERROR) {
          throw new IllegalArgumentException(path + ": " + each.getMessage(Locale.ROOT));
        }
      }
      return new SourceFile(
          path, text.lines().toList(), unit, Trees.instance(task).getSourcePositions());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isMain() {
    return path.contains("src/main/java/");
  }

  /// All trees of a type, outer ones before those inside them.
  <T extends Tree> List<T> all(Class<T> type) {
    List<T> found = new ArrayList<>();
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void scan(@Nullable Tree tree, @Nullable Void nothing) {
        if (type.isInstance(tree)) {
          found.add(type.cast(tree));
        }
        return super.scan(tree, null);
      }
    }.scan(unit, null);
    return found;
  }

  /// Number of the line on which a tree starts, from 1.
  int firstLine(Tree tree) {
    return (int) unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
  }

  /// Number of the line on which a tree ends, from 1.
  int lastLine(Tree tree) {
    return (int) unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree) - 1);
  }

  /// The line of a number from 1; empty for line 0.
  String line(int number) {
    return number == 0 ? "" : lines.get(number - 1);
  }

  /// What a finding starts with: the file and the line of a tree.
  String at(Tree tree) {
    return path + ":" + firstLine(tree) + ": ";
  }
}
