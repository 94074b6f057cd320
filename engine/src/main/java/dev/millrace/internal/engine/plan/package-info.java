/// From a graph of nodes to stages, tasks and exchanges: pure functions.
@NullMarked
package dev.millrace.internal.engine.plan;

import org.jspecify.annotations.NullMarked;
