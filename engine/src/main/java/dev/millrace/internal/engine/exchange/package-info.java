/// Exchanges through the memory of one container: queues between its workers, and the barriers of
/// commits in them.
@NullMarked
package dev.millrace.internal.engine.exchange;

import org.jspecify.annotations.NullMarked;
