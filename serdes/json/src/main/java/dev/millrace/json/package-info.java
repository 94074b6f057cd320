/// Serdes for JSON; see [dev.millrace.json.Json].
@NullMarked
package dev.millrace.json;

import org.jspecify.annotations.NullMarked;
