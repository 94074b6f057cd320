/// Values that settings of a job have, which its configuration and its engine share.
@NullMarked
package dev.millrace.spi.settings;

import org.jspecify.annotations.NullMarked;
