package dev.millrace.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// The modules of the build, read from its poms.
///
/// @param root directory of the parent pom
/// @param modules all modules, nested ones too, in the order of the poms
record Reactor(Path root, List<Module> modules) {

  /// One module.
  ///
  /// @param name path from the root, such as `systems/kafka`
  record Module(String name, Path directory) {

    /// The Java files under `src/main/java`.
    List<Path> mainSources() {
      return javaFiles(directory.resolve("src/main/java"));
    }

    /// Where Maven puts the compiled main sources.
    Path classes() {
      return directory.resolve("target/classes");
    }

    String artifactId() {
      return childText(pom(directory), "artifactId").getFirst();
    }

    /// Artifact ids of the dependencies that the module's own pom names.
    List<String> dependencies() {
      return elements(pom(directory), "dependency").stream()
          .flatMap(dependency -> childText(dependency, "artifactId").stream())
          .toList();
    }
  }

  /// The build that the current directory is part of.
  static Reactor find() {
    Path start = Path.of("").toAbsolutePath();
    for (Path at = start; at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("pom.xml"))
          && childText(pom(at), "artifactId").contains("millrace-parent")) {
        List<Module> modules = new ArrayList<>();
        collect(at, at, modules);
        return new Reactor(at, List.copyOf(modules));
      }
    }
    throw new IllegalStateException("no pom of millrace-parent in or above " + start);
  }

  /// The version that the parent pom gives to all modules.
  String version() {
    return childText(pom(root), "version").getFirst();
  }

  /// The version that a module's own pom gives.
  String versionOf(String module) {
    return childText(pom(root.resolve(module)), "version").getFirst();
  }

  /// The versions in the dependency management of a module's own pom, by `group:artifact`, with the
  /// pom's properties put in.
  ///
  /// @param module path from the root; empty for the parent
  Map<String, String> managed(String module) {
    Element pom = pom(root.resolve(module));
    Map<String, String> properties = new TreeMap<>();
    for (Element all : elements(pom, "properties")) {
      NodeList each = all.getChildNodes();
      for (int i = 0; i < each.getLength(); i++) {
        properties.put("${" + each.item(i).getNodeName() + "}", each.item(i).getTextContent());
      }
    }
    Map<String, String> versions = new TreeMap<>();
    for (Element management : elements(pom, "dependencyManagement")) {
      for (Element dependency : elements(management, "dependency")) {
        String version = childText(dependency, "version").getFirst();
        versions.put(
            childText(dependency, "groupId").getFirst()
                + ":"
                + childText(dependency, "artifactId").getFirst(),
            properties.getOrDefault(version, version));
      }
    }
    return versions;
  }

  /// The path from the root, as findings show it.
  String shown(Path file) {
    return root.relativize(file).toString();
  }

  private static void collect(Path root, Path directory, List<Module> modules) {
    Element pom = pom(directory);
    for (Element module : elements(pom, "module")) {
      if (pom.isSameNode(module.getParentNode().getParentNode())) {
        Path child = directory.resolve(module.getTextContent().trim());
        modules.add(new Module(root.relativize(child).toString(), child));
        collect(root, child, modules);
      }
    }
  }

  /// Names of the modules that only a profile builds.
  Set<String> modulesOfProfiles() {
    Set<String> names = new TreeSet<>();
    Element pom = pom(root);
    for (Element module : elements(pom, "module")) {
      if (!pom.isSameNode(module.getParentNode().getParentNode())) {
        names.add(module.getTextContent().trim());
      }
    }
    return names;
  }

  /// Names of the modules that are built with some of the profiles.
  Set<String> modulesWith(Set<String> profiles) {
    Set<String> names = new TreeSet<>(modules.stream().map(Module::name).toList());
    for (Element profile : elements(pom(root), "profile")) {
      if (profiles.containsAll(childText(profile, "id"))) {
        elements(profile, "module").forEach(each -> names.add(each.getTextContent().trim()));
      }
    }
    return names;
  }

  private static List<Path> javaFiles(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Element pom(Path directory) {
    try {
      Document document =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(directory.resolve("pom.xml").toFile());
      return document.getDocumentElement();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("cannot read the pom in " + directory, e);
    }
  }

  private static List<Element> elements(Element parent, String tag) {
    NodeList found = parent.getElementsByTagName(tag);
    List<Element> all = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      all.add((Element) found.item(i));
    }
    return all;
  }

  private static List<String> childText(Element parent, String tag) {
    List<String> texts = new ArrayList<>();
    for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element && element.getTagName().equals(tag)) {
        texts.add(element.getTextContent().trim());
      }
    }
    return texts;
  }
}
