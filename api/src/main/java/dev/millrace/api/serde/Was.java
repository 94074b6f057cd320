package dev.millrace.api.serde;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Names what a component of a record was called before, so that values written under the old name
/// are read under the new one. Keep it as long as such values may be anywhere; a plan that leaves
/// it out is refused. It has no meaning in keys, which do not evolve.
///
/// ```java
/// record Profile(String name, @Was("n") long visits) {}
/// ```
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Was {
  /// Returns the earlier names, in any order.
  String[] value();
}
