/// What benchmarks measured, as a table, JSON and a plot.
@NullMarked
package dev.millrace.benchmarks.report;

import org.jspecify.annotations.NullMarked;
