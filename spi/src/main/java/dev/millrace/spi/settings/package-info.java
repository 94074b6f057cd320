/// Settings that the configuration of a job and its engine share: one record for each concern,
/// which goes from the user to its reader unchanged.
@NullMarked
package dev.millrace.spi.settings;

import org.jspecify.annotations.NullMarked;
