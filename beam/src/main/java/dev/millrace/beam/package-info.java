/// The runner of Apache Beam's pipelines, and one for tests of pipelines.
@NullMarked
package dev.millrace.beam;

import org.jspecify.annotations.NullMarked;
