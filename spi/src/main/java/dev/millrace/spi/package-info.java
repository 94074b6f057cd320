/// What the engine asks of its surroundings. Everything here speaks batches of bytes and knows
/// nothing of user types; every interface has a production implementation and a model for
/// simulation.
@NullMarked
package dev.millrace.spi;

import org.jspecify.annotations.NullMarked;
