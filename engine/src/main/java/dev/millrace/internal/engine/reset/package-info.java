/// Has an application that is stopped read on from other positions, with what it keeps or without.
@NullMarked
package dev.millrace.internal.engine.reset;

import org.jspecify.annotations.NullMarked;
