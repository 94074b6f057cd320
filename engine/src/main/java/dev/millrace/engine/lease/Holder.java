package dev.millrace.engine.lease;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;

/// A process that runs a container.
///
/// @param sinceMillis when it started, in milliseconds since 1970 (UTC)
/// @param home names the state directory it uses, the same for all processes that use it, one at a
///   time
public record Holder(String host, long pid, long sinceMillis, String home) {
  private static final Serde<Beat> BEATS = Serdes.record(Beat.class);

  /// What is written to the log: a sign of life.
  ///
  /// @param released whether the process has let go of the container
  record Beat(
      int container,
      String host,
      long pid,
      long sinceMillis,
      String home,
      long number,
      boolean released) {

    Holder holder() {
      return new Holder(host, pid, sinceMillis, home);
    }

    static Beat read(Bytes bytes) {
      return BEATS.read(bytes);
    }

    void write(BytesWriter out) {
      BEATS.write(this, out);
    }
  }

  Beat beat(int container, long number, boolean released) {
    return new Beat(container, host, pid, sinceMillis, home, number, released);
  }
}
