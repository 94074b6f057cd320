/// What an engine is told from outside: settings, placement and surroundings.
@NullMarked
package dev.millrace.engine.settings;

import org.jspecify.annotations.NullMarked;
