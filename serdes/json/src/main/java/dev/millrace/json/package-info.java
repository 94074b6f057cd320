/// Values as JSON. [dev.millrace.json.Json] is the only door.
@NullMarked
package dev.millrace.json;

import org.jspecify.annotations.NullMarked;
