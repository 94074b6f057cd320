/// A pipeline as an application that runs: its configuration, and the steps of a test.
@NullMarked
package dev.millrace.internal.beam.run;

import org.jspecify.annotations.NullMarked;
