/// What is to run, and the files that it needs, as they lie in HDFS.
@NullMarked
package dev.millrace.internal.yarn.job;

import org.jspecify.annotations.NullMarked;
