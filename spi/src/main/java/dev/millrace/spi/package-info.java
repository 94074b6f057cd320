/// Interfaces of the engine's surroundings: log, sources, sinks, disk, blob store and clock. They
/// exchange batches of bytes and do not know user types; every interface has a production
/// implementation and a model for simulation.
@NullMarked
package dev.millrace.spi;

import org.jspecify.annotations.NullMarked;
