package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a benchmark measures logs nothing below warnings. Without settings Logback writes all there
/// is to standard output, which costs a runner more than its work.
class PeerLoggingTest {
  private static final String SETTINGS = "src/main/resources/logback.xml";

  @Test
  void everyPeerHasSettingsForItsLog() {
    Reactor reactor = Reactor.find();
    List<Reactor.Module> peers =
        reactor.modulesWith(Set.of("peers")).stream()
            .filter(name -> name.startsWith("benchmarks/"))
            .map(name -> new Reactor.Module(name, reactor.root().resolve(name)))
            .toList();
    List<Reactor.Module> logging =
        peers.stream().filter(peer -> peer.dependencies().contains("logback-classic")).toList();
    assertTrue(logging.size() >= 6, () -> "Some are missing: " + logging);
    assertEquals(
        List.of(),
        logging.stream()
            .filter(peer -> !hasSettings(peer, peers))
            .map(Reactor.Module::name)
            .toList(),
        "These have no " + SETTINGS);
  }

  /// Whether there are settings in the module, or in one that it depends on.
  private static boolean hasSettings(Reactor.Module peer, List<Reactor.Module> all) {
    return all.stream()
        .filter(each -> each.equals(peer) || peer.dependencies().contains(each.artifactId()))
        .anyMatch(each -> Files.exists(each.directory().resolve(SETTINGS)));
  }
}
