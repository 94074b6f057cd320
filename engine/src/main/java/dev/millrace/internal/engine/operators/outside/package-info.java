/// Operators that run users' processors or ask other systems: calls, remote tables, and sinks
/// outside the log.
@NullMarked
package dev.millrace.internal.engine.operators.outside;

import org.jspecify.annotations.NullMarked;
