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
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
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
    return parse(Map.of(path, text)).getFirst();
  }

  /// All by one compiler: one for each file takes longer than what it does.
  ///
  /// @param texts by path
  static List<SourceFile> parse(Map<String, String> texts) {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<Text> files =
        texts.entrySet().stream().map(each -> new Text(each.getKey(), each.getValue())).toList();
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, diagnostics, List.of("-proc:none"), null, files);
    List<SourceFile> parsed = new ArrayList<>();
    try {
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        Text file = files.get(parsed.size());
        parsed.add(new SourceFile(file.path, file.text.lines().toList(), unit, positions));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Diagnostic<? extends JavaFileObject> each : diagnostics.getDiagnostics()) {
      if (each.getKind() == Diagnostic.Kind.ERROR) {
        throw new IllegalArgumentException(each.getSource() + ": " + each.getMessage(Locale.ROOT));
      }
    }
    return parsed;
  }

  /// A file for the compiler.
  private static final class Text extends SimpleJavaFileObject {
    private final String path;
    private final String text;

    Text(String path, String text) {
      super(URI.create("string:///" + path.replace(' ', '_')), JavaFileObject.Kind.SOURCE);
      this.path = path;
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }

    @Override
    public String toString() {
      return path;
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
