/// The configuration of a job: one record a concern.
@NullMarked
package dev.millrace.config;

import org.jspecify.annotations.NullMarked;
