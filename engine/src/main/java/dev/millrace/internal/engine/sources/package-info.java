/// What a job reads from: the log and the other systems its topology names, seen as one.
@NullMarked
package dev.millrace.internal.engine.sources;

import org.jspecify.annotations.NullMarked;
