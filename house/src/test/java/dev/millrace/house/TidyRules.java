package dev.millrace.house;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnionTypeTree;
import com.sun.source.tree.VariableTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/// Sizes and habits of the sources. Each rule gives its findings, a sentence each; none if all is
/// well.
final class TidyRules {
  static final int FILE_LINES = 500;
  static final int METHOD_LINES = 60;
  static final int CONSTRUCTOR_PARAMETERS = 7;
  static final int RECORD_COMPONENTS = 12;

  private static final Set<String> BROAD =
      Set.of("Exception", "Throwable", "RuntimeException", "Error");
  private static final Set<String> NAMES_OF_NOTHING = Set.of("util", "utils", "common", "commons");
  // The first letter stands in brackets so that a pattern does not find itself.
  private static final Pattern MARK = Pattern.compile("[T]ODO|[F]IXME|[X]XX");
  private static final Pattern MACHINE =
      Pattern.compile(
          "/[w]ork/|/[r]oot/|/[f]arm/|/[h]ome/(?!app|user|millrace)[a-z]"
              + "|[r]epo1?\\.maven|[p]ypi\\.org|[r]egistry\\.npmjs|[c]rates\\.io|[p]roxy\\.golang");

  private TidyRules() {}

  static List<String> longFiles(SourceFile file) {
    int lines = file.lines().size();
    return file.isMain() && lines > FILE_LINES
        ? List.of("%s: %d lines, at most %d".formatted(file.path(), lines, FILE_LINES))
        : List.of();
  }

  static List<String> longMethods(SourceFile file) {
    List<String> found = new ArrayList<>();
    if (file.isMain()) {
      for (MethodTree method : file.all(MethodTree.class)) {
        int lines = file.lastLine(method) - file.firstLine(method) + 1;
        if (lines > METHOD_LINES) {
          found.add(
              "%s%s has %d lines, at most %d"
                  .formatted(file.at(method), method.getName(), lines, METHOD_LINES));
        }
      }
    }
    return found;
  }

  static List<String> wideConstructors(SourceFile file) {
    List<String> found = new ArrayList<>();
    if (file.isMain()) {
      for (ClassTree type : file.all(ClassTree.class)) {
        if (type.getKind() == Tree.Kind.RECORD) {
          found.addAll(wideRecord(file, type));
        } else {
          found.addAll(wideConstructors(file, type));
        }
      }
    }
    return found;
  }

  private static List<String> wideConstructors(SourceFile file, ClassTree type) {
    List<String> found = new ArrayList<>();
    for (Tree member : type.getMembers()) {
      if (member instanceof MethodTree method && method.getName().contentEquals("<init>")) {
        int parameters = method.getParameters().size();
        if (parameters > CONSTRUCTOR_PARAMETERS) {
          found.add(
              "%sconstructor of %s has %d parameters, at most %d"
                  .formatted(
                      file.at(method), type.getSimpleName(), parameters, CONSTRUCTOR_PARAMETERS));
        }
      }
    }
    return found;
  }

  private static List<String> wideRecord(SourceFile file, ClassTree type) {
    long components =
        type.getMembers().stream()
            .filter(member ->
                member instanceof VariableTree field
                    && !field.getModifiers().getFlags().contains(Modifier.STATIC))
            .count();
    return components > RECORD_COMPONENTS
        ? List.of(
            "%srecord %s has %d components, at most %d"
                .formatted(file.at(type), type.getSimpleName(), components, RECORD_COMPONENTS))
        : List.of();
  }

  /// Catches of everything. `// outermost: why` on the line of the catch, or above it, allows one.
  static List<String> broadCatches(SourceFile file) {
    List<String> found = new ArrayList<>();
    if (file.isMain()) {
      for (CatchTree clause : file.all(CatchTree.class)) {
        int line = file.firstLine(clause);
        boolean isOutermost =
            file.line(line).contains("// outermost:")
                || file.line(line - 1).strip().startsWith("// outermost:");
        Tree type = clause.getParameter().getType();
        List<? extends Tree> types =
            type instanceof UnionTypeTree union ? union.getTypeAlternatives() : List.of(type);
        for (Tree each : types) {
          if (BROAD.contains(simpleName(each)) && !isOutermost) {
            found.add(
                "%scatches %s: name what can happen, or say `// outermost: why` on the line above"
                    .formatted(file.at(clause), simpleName(each)));
          }
        }
      }
    }
    return found;
  }

  static List<String> skippedTests(SourceFile file) {
    List<String> found = new ArrayList<>();
    for (AnnotationTree annotation : file.all(AnnotationTree.class)) {
      String name = simpleName(annotation.getAnnotationType());
      if (name.startsWith("Disabled") || name.equals("Ignore")) {
        found.add(file.at(annotation) + "@" + name + ": a test runs or is removed");
      }
    }
    return found;
  }

  static List<String> packagesNamedAfterNothing(SourceFile file) {
    String name = packageName(file);
    return List.of(name.split("\\.")).stream().anyMatch(NAMES_OF_NOTHING::contains)
        ? List.of(file.path() + ": package " + name + ": a helper lives beside its user")
        : List.of();
  }

  /// Packages with main sources that have no package-info with `@NullMarked`.
  static List<String> packagesNotNullMarked(List<SourceFile> files) {
    Set<String> packages = new TreeSet<>();
    Set<String> marked = new TreeSet<>();
    for (SourceFile file : files) {
      if (file.isMain()) {
        String directory = file.path().substring(0, file.path().lastIndexOf('/') + 1);
        packages.add(directory);
        if (file.path().endsWith("/package-info.java")
            && file.unit().getPackage().getAnnotations().stream()
                .anyMatch(each -> simpleName(each.getAnnotationType()).equals("NullMarked"))) {
          marked.add(directory);
        }
      }
    }
    packages.removeAll(marked);
    return packages.stream()
        .map(directory -> directory + "package-info.java: missing, or without @NullMarked")
        .toList();
  }

  static List<String> emptyFiles(String path, String text) {
    return path.endsWith(".java") && text.isBlank()
        ? List.of(path + ": has nothing in it")
        : List.of();
  }

  static List<String> marks(String path, String text) {
    return occurrences(path, text, MARK, "is a mark of unfinished work");
  }

  static List<String> machineNames(String path, String text) {
    return occurrences(path, text, MACHINE, "is a path of a machine or the host of a registry");
  }

  private static List<String> occurrences(
      String path, String text, Pattern pattern, String objection) {
    List<String> found = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher matcher = pattern.matcher(lines.get(i));
      if (matcher.find()) {
        found.add("%s:%d: %s %s".formatted(path, i + 1, matcher.group(), objection));
      }
    }
    return found;
  }

  private static String packageName(SourceFile file) {
    var declaration = file.unit().getPackage();
    return declaration == null ? "" : declaration.getPackageName().toString();
  }

  private static String simpleName(Tree type) {
    return type instanceof MemberSelectTree select
        ? select.getIdentifier().toString()
        : type.toString();
  }
}
