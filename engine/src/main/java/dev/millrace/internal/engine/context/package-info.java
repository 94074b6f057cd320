/// What an operator reaches of its task: [TaskOperatorContext] is given to it when it is opened.
@NullMarked
package dev.millrace.internal.engine.context;

import org.jspecify.annotations.NullMarked;
