/// What is done to an application that is stopped: it reads on from other positions, with what it
/// keeps or without, or gets another name.
@NullMarked
package dev.millrace.internal.engine.reset;

import org.jspecify.annotations.NullMarked;
