/// A stage of a portable pipeline as an operator: its transforms run in an SDK harness, which is
/// another process as a rule. Begin with `StageOperator`.
@NullMarked
package dev.millrace.internal.beam.portable.stage;

import org.jspecify.annotations.NullMarked;
