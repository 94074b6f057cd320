/// Operators that join rows with those of another stream or table: by key and time, as of a time,
/// by a foreign key, and with tables that every task holds.
@NullMarked
package dev.millrace.internal.engine.operators.join;

import org.jspecify.annotations.NullMarked;
