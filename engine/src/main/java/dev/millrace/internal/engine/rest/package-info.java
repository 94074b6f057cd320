/// How a thread rests and is woken.
@NullMarked
package dev.millrace.internal.engine.rest;

import org.jspecify.annotations.NullMarked;
