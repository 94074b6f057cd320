/// What is decided and heard about an application, as people and programs see it.
@NullMarked
package dev.millrace.internal.cluster.view;

import org.jspecify.annotations.NullMarked;
