package dev.millrace.internal.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The commands without a cluster.
class YarnMainTest {
  @TempDir private Path directory;

  private static String said(int status, String... arguments) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text, true);
    CommandLine command = YarnMain.commandLine().setOut(writer).setErr(writer);
    command.getSubcommands().values().forEach(each -> each.setOut(writer).setErr(writer));
    assertEquals(status, command.execute(arguments), text::toString);
    return text.toString();
  }

  @Test
  void everyCommandHasHelp() {
    for (String name : YarnMain.commandLine().getSubcommands().keySet()) {
      String text = said(Exit.DONE, name, "--help");
      assertTrue(text.contains("Usage: millrace yarn " + name), text);
    }
  }

  @Test
  void aDirectoryWithoutAConfigurationIsNamed() {
    String text = said(Exit.USAGE, "status", "--conf", directory.toString(), "counting");
    assertTrue(text.contains(directory + " has no core-site.xml"), text);
  }

  @Test
  void aConfigurationWithoutHdfsIsRefused() throws IOException {
    Files.writeString(directory.resolve("yarn-site.xml"), "<configuration/>");
    String text = said(Exit.USAGE, "status", "--conf", directory.toString(), "counting");
    assertTrue(text.contains("fs.defaultFS"), text);
  }

  @Test
  void aKeytabHasAPrincipal() throws IOException {
    for (String[] one : new String[][] {{"--keytab", "--principal"}, {"--principal", "--keytab"}}) {
      String text = said(Exit.USAGE, submit(one[0] + "=x"));
      assertTrue(text.contains("Missing required argument(s): " + one[1]), text);
    }
  }

  @Test
  void aKeytabIsForKerberos() throws IOException {
    Files.writeString(directory.resolve("core-site.xml"), "<configuration/>");
    String text = said(Exit.USAGE, submit("--principal=x@Y", "--keytab=x"));
    assertTrue(text.contains("hadoop.security.authentication"), text);
  }

  private String[] submit(String... more) {
    List<String> all = new ArrayList<>(List.of("submit", "--conf", directory.toString()));
    all.addAll(List.of(more));
    all.addAll(List.of("--classpath", ".", "counting", "some.Main"));
    return all.toArray(String[]::new);
  }

  @Test
  void hostsAreCollectedByTheCommandOnly() {
    String text = said(Exit.USAGE, "collect", "--", "--bootstrap", "kafka:9092");
    assertTrue(text.contains("millrace yarn collect"), text);
  }
}
