/// What transforms count, as it comes and as it is committed.
@NullMarked
package dev.millrace.internal.beam.metrics;

import org.jspecify.annotations.NullMarked;
