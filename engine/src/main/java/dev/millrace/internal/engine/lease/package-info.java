/// Who runs a container: one process at a time, known to all by a record in the log.
@NullMarked
package dev.millrace.internal.engine.lease;

import org.jspecify.annotations.NullMarked;
