/// How tasks get their state back after a crash or a roll-back, and what is done before for that to
/// be fast.
@NullMarked
package dev.millrace.internal.engine.recovery;

import org.jspecify.annotations.NullMarked;
