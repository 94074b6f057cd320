package dev.millrace.internal.engine.calls;

import dev.millrace.api.Call;
import java.util.HashMap;
import java.util.Map;

/// The gates of a process, one for each operator that makes calls. Thread-safe.
public final class Gates {
  private final Map<String, Gate> gates = new HashMap<>();

  synchronized Gate of(String operator, Call.Limits limits) {
    return gates.computeIfAbsent(operator, _ -> new Gate(limits));
  }
}
