/// Event time: what each input says of it, and what a task makes of that.
@NullMarked
package dev.millrace.internal.engine.time;

import org.jspecify.annotations.NullMarked;
