package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/// Keeps the page of third-party notices equal to what the command runs with, which is all that any
/// artifact of Millrace brings: names, versions and licences as the libraries' own poms say.
class NoticesTest {
  private static final String PAGE = "THIRD-PARTY-NOTICES.md";
  private static final List<String> TEST_ONLY =
      List.of("org.junit", "org.opentest4j", "org.apiguardian");

  private final Path repository =
      Path.of(
          System.getProperty(
              "localRepository",
              Path.of(System.getProperty("user.home"), ".m2", "repository").toString()));

  private record Library(String group, String artifact, String version) {
    Path pom(Path repository) {
      return repository
          .resolve(group.replace('.', '/'))
          .resolve(Path.of(artifact, version, artifact + "-" + version + ".pom"));
    }

    @Override
    public String toString() {
      return group + ":" + artifact;
    }
  }

  @Test
  void thePageNamesEveryLibraryWithItsVersionAndLicence() throws IOException {
    TreeMap<String, String> rows = new TreeMap<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      if (jar.startsWith(repository) && entry.endsWith(".jar")) {
        Library library = library(repository.relativize(jar));
        if (!library.group().startsWith("dev.millrace")
            && TEST_ONLY.stream().noneMatch(library.group()::startsWith)) {
          rows.put(
              library.toString(),
              "| %s | %s | %s |".formatted(library, library.version(), licence(library)));
        }
      }
    }
    assertTrue(rows.size() > 20, "Only " + rows);
    Path page = ThrowAwayRepository.root().resolve(PAGE);
    String text = Files.readString(page);
    int table = text.indexOf("|---|---|---|\n") + "|---|---|---|\n".length();
    String wanted = text.substring(0, table) + String.join("\n", rows.values()) + "\n";
    Path draft = Path.of("target", PAGE);
    Files.createDirectories(draft.getParent());
    Files.writeString(draft, wanted);
    assertEquals(wanted, text, () -> "Copy cli/" + draft + " over " + PAGE + ".");
  }

  private static Library library(Path jar) {
    int names = jar.getNameCount();
    List<String> group = new ArrayList<>();
    for (int i = 0; i < names - 3; i++) {
      group.add(jar.getName(i).toString());
    }
    return new Library(
        String.join(".", group),
        jar.getName(names - 3).toString(),
        jar.getName(names - 2).toString());
  }

  /// The names of the licences, from the pom or the nearest parent that has some.
  private String licence(Library library) throws IOException {
    Library at = library;
    for (int depth = 0; depth < 10; depth++) {
      Element pom = pom(at.pom(repository));
      Element licences = child(pom, "licenses");
      if (licences != null) {
        List<String> names = new ArrayList<>();
        for (Node each = licences.getFirstChild(); each != null; each = each.getNextSibling()) {
          if (each instanceof Element licence) {
            names.add(text(licence, "name").replaceAll("\\s+", " "));
          }
        }
        return String.join("; ", names);
      }
      Element parent = child(pom, "parent");
      if (parent == null) {
        break;
      }
      at =
          new Library(text(parent, "groupId"), text(parent, "artifactId"), text(parent, "version"));
    }
    throw new AssertionError("No pom says the licence of " + library);
  }

  private static Element pom(Path file) throws IOException {
    try {
      return DocumentBuilderFactory.newDefaultInstance()
          .newDocumentBuilder()
          .parse(file.toFile())
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  private static @Nullable Element child(Element parent, String name) {
    for (Node each = parent.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element element && element.getTagName().equals(name)) {
        return element;
      }
    }
    return null;
  }

  private static String text(Element parent, String name) {
    Element child = child(parent, name);
    if (child == null) {
      throw new AssertionError("No " + name + " in " + parent.getTagName());
    }
    return child.getTextContent().strip();
  }
}
