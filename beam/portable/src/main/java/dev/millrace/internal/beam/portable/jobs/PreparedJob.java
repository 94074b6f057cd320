package dev.millrace.internal.beam.portable.jobs;

import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;

/// A pipeline that was handed in, and may be run.
record PreparedJob(String id, RunnerApi.Pipeline pipeline, Struct options) {}
