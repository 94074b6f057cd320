/// What a running job answers when it is asked, whether it runs by itself or in the test kit.
@NullMarked
package dev.millrace.spi.job;

import org.jspecify.annotations.NullMarked;
