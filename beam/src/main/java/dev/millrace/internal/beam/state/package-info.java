/// Beam's states, timers and holds in the stores of a task. `KeyedState` and `KeyedTimers` are what
/// Beam's own classes see.
@NullMarked
package dev.millrace.internal.beam.state;

import org.jspecify.annotations.NullMarked;
