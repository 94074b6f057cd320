package dev.millrace.internal.yarn.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HadoopFilesTest {
  @TempDir private Path directory;

  @Test
  void theDirectoryThatIsGivenComesFirst() throws IOException {
    Path given = site("given", "yarn-site.xml");
    Path named = site("named", "core-site.xml");
    Map<String, String> environment = Map.of("HADOOP_CONF_DIR", named.toString());
    assertEquals(given, HadoopFiles.find(given, environment));
    assertEquals(named, HadoopFiles.find(null, environment));
    assertNull(HadoopFiles.find(directory, environment), "it has none of the files");
  }

  @Test
  void theDirectoryOfHadoopIsFound() throws IOException {
    Path found = site("hadoop/etc/hadoop", "yarn-site.xml");
    Map<String, String> environment =
        Map.of("HADOOP_CONF_DIR", "", "HADOOP_HOME", directory.resolve("hadoop").toString());
    assertEquals(found, HadoopFiles.find(null, environment));
  }

  @Test
  void whatTheFilesSayGoesOverHadoopsDefaults() throws IOException {
    Path found = site("conf", "yarn-site.xml");
    assertEquals("yarn-site.xml", HadoopFiles.read(found).get("test.name"));
    assertEquals(
        "8088", HadoopFiles.read(found).get("yarn.resourcemanager.webapp.address").split(":")[1]);
    String one = HadoopFiles.text(found);
    assertTrue(one.contains("test.name"), one);
    assertTrue(!one.contains("yarn.resourcemanager.webapp.address"), one);
  }

  private Path site(String name, String file) throws IOException {
    Path made = Files.createDirectories(directory.resolve(name));
    Files.writeString(
        made.resolve(file),
        "<configuration><property><name>test.name</name><value>%s</value></property></configuration>"
            .formatted(file));
    return made;
  }
}
