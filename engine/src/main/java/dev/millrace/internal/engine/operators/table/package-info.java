/// Operators that keep one value a key: aggregates, tables of a topic, deduplication, and results
/// that agree at ticks.
@NullMarked
package dev.millrace.internal.engine.operators.table;

import org.jspecify.annotations.NullMarked;
