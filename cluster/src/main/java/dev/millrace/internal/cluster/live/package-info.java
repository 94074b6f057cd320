/// Who lives, by signs of life in a topic, and when a leader is missing.
///
/// A member says a [Sign] about once a second. [Signs] hears them all and counts silence, but only
/// while its own signs come back from the topic. [LeaderWatch] says when to try to lead.
@NullMarked
package dev.millrace.internal.cluster.live;

import org.jspecify.annotations.NullMarked;
