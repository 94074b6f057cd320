/// What things are measured with.
@NullMarked
package dev.millrace.engine.metrics;

import org.jspecify.annotations.NullMarked;
