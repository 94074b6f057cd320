package dev.millrace.internal.beam.state;

import java.util.HashMap;
import java.util.Map;
import org.apache.beam.runners.core.StateNamespace;
import org.apache.beam.sdk.state.State;
import org.jspecify.annotations.Nullable;

/// The states of a key that have been asked for, as objects.
final class StatesOfKey {
  private static final int MOST_STATES = 32;

  private final Map<Address, State> states = new HashMap<>();

  /// Whether several of them stand for the same cell, so that one would not see what another one
  /// has changed, if they lived longer.
  private boolean isAmbiguous;

  /// How many bytes all of them had when that was asked last.
  private long bytes;

  /// Where a state of the key is.
  ///
  /// @param name of the state, with what kind of name it is
  /// @param kind of the state: who deletes all that may be under a name asks for several
  record Address(StateNamespace namespace, String name, Class<?> kind) {
    boolean isBeside(Address other) {
      return namespace.equals(other.namespace) && name.equals(other.name);
    }
  }

  @Nullable State find(Address address) {
    return states.get(address);
  }

  void put(Address address, State state) {
    for (Address other : states.keySet()) {
      isAmbiguous |= address.isBeside(other);
    }
    states.put(address, state);
  }

  /// Stores what has changed.
  void store() {
    for (State each : states.values()) {
      if (each instanceof Pending pending) {
        pending.store();
      }
    }
  }

  /// Whether they may be kept when another key comes.
  boolean mayStay() {
    return !states.isEmpty() && !isAmbiguous && states.size() <= MOST_STATES;
  }

  /// Returns by how much they have grown since that was asked. Those whose size is not known are
  /// stored.
  long growth() {
    long now = 0;
    for (State each : states.values()) {
      if (each instanceof Pending pending) {
        if (pending.bytes() == Pending.UNKNOWN) {
          pending.store();
        }
        now += Math.max(0, pending.bytes());
      }
    }
    long growth = now - bytes;
    bytes = now;
    return growth;
  }

  /// They are no longer remembered.
  ///
  /// @return how many bytes they had when [#growth] was asked last
  long forget() {
    long before = bytes;
    bytes = 0;
    return before;
  }
}
