package dev.millrace.testkit.job;

import dev.millrace.api.StreamApplication;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Has JUnit give each test a [TestJob] of an application as a parameter, and close it behind the
/// test. A failing test says how the run is repeated.
///
/// ```java
/// @MillraceTest(WordCount.class)
/// class WordCountTest {
///   @Test
///   void wordsAreCounted(TestJob job) {
///     job.input("lines").send("the mill and the race");
///     job.output("word-counts").hasLatest("the", 2L);
///   }
/// }
/// ```
///
/// On a method it wins over the one on its class.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(MillraceExtension.class)
public @interface MillraceTest {

  /// The application; has a constructor without parameters. For others see [MillraceExtension#of].
  Class<? extends StreamApplication> value();

  /// What the job runs on.
  On on() default On.VIRTUAL_TIME;

  /// See [TestJob#seed].
  long seed() default 1;

  /// See [TestJob#partitions].
  int partitions() default 3;

  /// See [TestJob#containers].
  int containers() default 1;
}
