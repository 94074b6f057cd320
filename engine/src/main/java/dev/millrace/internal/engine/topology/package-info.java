/// From what an application describes to a graph of nodes with types and serdes.
@NullMarked
package dev.millrace.internal.engine.topology;

import org.jspecify.annotations.NullMarked;
