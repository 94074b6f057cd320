/// Text files with a record a line, such as JSON lines: [dev.millrace.files.LineFiles] is the door.
@NullMarked
package dev.millrace.files;

import org.jspecify.annotations.NullMarked;
