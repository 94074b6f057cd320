/// The job server: takes pipelines in Beam's portable form by gRPC, and runs them. Begin with
/// `JobService`.
@NullMarked
package dev.millrace.internal.beam.portable.jobs;

import org.jspecify.annotations.NullMarked;
