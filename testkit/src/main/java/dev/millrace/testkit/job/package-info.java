/// Tests of applications, for their authors: the real engine, on models in virtual time or on an
/// embedded Kafka.
///
/// [dev.millrace.testkit.job.TestJob] runs an application; what it reads is sent through a
/// [dev.millrace.testkit.job.TestInput] and what it has written is looked at through a
/// [dev.millrace.testkit.job.TestOutput]. [dev.millrace.testkit.job.MillraceTest] has JUnit make
/// and close one for each test, and [dev.millrace.testkit.job.Harsh] looks whether the results
/// depend on what they must not depend on.
@NullMarked
package dev.millrace.testkit.job;

import org.jspecify.annotations.NullMarked;
