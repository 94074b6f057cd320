/// The test kit for authors of applications: it runs the real engine, on models in virtual time or
/// on an embedded Kafka.
///
/// [dev.millrace.testkit.job.TestJob] runs an application, [dev.millrace.testkit.job.TestInput]
/// sends its input, and [dev.millrace.testkit.job.TestOutput] reads and checks its output. With
/// [dev.millrace.testkit.job.MillraceTest], JUnit creates and closes a job for each test.
/// [dev.millrace.testkit.job.Harsh] checks that results do not depend on batches, crashes or the
/// number of processes.
@NullMarked
package dev.millrace.testkit.job;

import org.jspecify.annotations.NullMarked;
