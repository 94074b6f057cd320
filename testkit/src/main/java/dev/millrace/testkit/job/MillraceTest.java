package dev.millrace.testkit.job;

import dev.millrace.api.StreamApplication;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Makes JUnit pass a [TestJob] of an application to each test as a parameter, and close it after
/// the test. The message of a failing test says how to repeat the run.
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
/// On a method, it overrides the annotation of its class.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(MillraceExtension.class)
public @interface MillraceTest {

  /// Returns the class of the application, which has a constructor without parameters. For others
  /// see [MillraceExtension#of].
  Class<? extends StreamApplication> value();

  /// Returns what the job runs on.
  On on() default On.VIRTUAL_TIME;

  /// See [TestJob#seed].
  long seed() default 1;

  /// See [TestJob#partitions].
  int partitions() default 3;

  /// See [TestJob#containers].
  int containers() default 1;
}
