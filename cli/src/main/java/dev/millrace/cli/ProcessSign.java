package dev.millrace.cli;

import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.cluster.live.Self;
import java.time.Instant;

/// What a process has said last of itself.
///
/// @param container by which it is known
/// @param since when it started
/// @param http where it serves its metrics; empty if it does not
/// @param released whether it has said that it ends
/// @param plan the hash of the plan that it runs
/// @param at when it said so, by the clock of its host
record ProcessSign(
    String container,
    String host,
    long pid,
    Instant since,
    String http,
    boolean released,
    String plan,
    Instant at) {

  static ProcessSign of(Census.Said said) {
    Self self = said.sign().self();
    Self.Running process = self.running();
    return new ProcessSign(
        self.home(),
        self.host(),
        process.pid(),
        Instant.ofEpochMilli(process.sinceMillis()),
        process.http(),
        said.sign().phase().isGone(),
        process.program(),
        Instant.ofEpochMilli(said.atMillis()));
  }
}
