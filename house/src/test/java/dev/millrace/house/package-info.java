/// Tests that keep the rules of the house; nothing here is shipped.
///
/// [ArrowsTest] keeps the arrows between modules, [EngineBansTest] the calls that the engine leaves
/// to what is handed in, [TidyTest] sizes and habits, [FormatTest] the format. Each rule also has a
/// test in which it must report a planted offence.
@NullMarked
package dev.millrace.house;

import org.jspecify.annotations.NullMarked;
