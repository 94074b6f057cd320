/// What an engine is told from outside: settings, placement and surroundings.
@NullMarked
package dev.millrace.internal.engine.settings;

import org.jspecify.annotations.NullMarked;
