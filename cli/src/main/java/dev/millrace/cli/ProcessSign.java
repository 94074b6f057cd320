package dev.millrace.cli;

import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.engine.lease.Holder;
import dev.millrace.internal.engine.lease.SignOfLife;

/// What a process has said last of itself.
///
/// @param container by which it is known
/// @param released whether it has said that it ends
/// @param number grows with each sign of a process
/// @param plan the hash of the plan that it runs
record ProcessSign(String container, Holder holder, boolean released, long number, String plan) {

  static ProcessSign of(SignOfLife sign) {
    return new ProcessSign(
        Integer.toString(sign.container()),
        sign.holder(),
        sign.released(),
        sign.number(),
        sign.plan());
  }

  static ProcessSign of(Sign sign) {
    Self self = sign.self();
    Self.Running process = self.running();
    return new ProcessSign(
        self.home(),
        new Holder(
            self.host(), process.pid(), process.sinceMillis(), self.volume(), process.http()),
        sign.phase().isGone(),
        sign.number(),
        process.program());
  }
}
