/// Calls to other systems: when they begin, how long they may take, how often they are repeated,
/// and what has come of them.
@NullMarked
package dev.millrace.internal.engine.calls;

import org.jspecify.annotations.NullMarked;
