/// The configuration of a job: [JobConfig] in code, and what reads it from a file, variables and
/// flags. Concerns that the engine shares are in [dev.millrace.spi.settings].
///
/// A setting is defined once, in `Settings`: its key, form, part of [JobConfig] and description.
/// Its value and default are in the record of its concern, which goes to its reader unchanged.
@NullMarked
package dev.millrace.config;

import org.jspecify.annotations.NullMarked;
