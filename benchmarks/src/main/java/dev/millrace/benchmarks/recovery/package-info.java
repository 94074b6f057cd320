/// How long a job takes to be back, and what decides it: figure 11 of S0 and table I of S3.
@NullMarked
package dev.millrace.benchmarks.recovery;

import org.jspecify.annotations.NullMarked;
