package dev.millrace.testkit.job;

import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.ReflectionSupport;

/// Creates a [TestJob] for each test with such a parameter, and closes it after the test.
///
/// [MillraceTest] registers it. An application that is not created by a constructor without
/// parameters is given in a field:
///
/// ```java
/// @RegisterExtension
/// static final MillraceExtension millrace =
///     MillraceExtension.of(() -> TestJob.of(new Orders(settings)).partitions(1));
/// ```
public final class MillraceExtension implements ParameterResolver, TestExecutionExceptionHandler {
  private static final Namespace NAMESPACE = Namespace.create(MillraceExtension.class);

  private final @Nullable Supplier<TestJob> making;

  /// Called by JUnit for [MillraceTest].
  public MillraceExtension() {
    this(null);
  }

  private MillraceExtension(@Nullable Supplier<TestJob> making) {
    this.making = making;
  }

  /// Returns an extension for a field with `@RegisterExtension`.
  ///
  /// @param making creates the job; called for each test
  public static MillraceExtension of(Supplier<TestJob> making) {
    return new MillraceExtension(making);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestJob.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    // What is in the store and can be closed is closed by JUnit, with the test.
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(TestJob.class, _ -> make(context), TestJob.class);
  }

  private TestJob make(ExtensionContext context) {
    if (making != null) {
      return making.get();
    }
    MillraceTest test = annotation(context);
    return TestJob.on(test.on(), ReflectionSupport.newInstance(test.value()))
        .seed(test.seed())
        .partitions(test.partitions())
        .containers(test.containers());
  }

  private static MillraceTest annotation(ExtensionContext context) {
    Method method = context.getTestMethod().orElse(null);
    MillraceTest found = method == null ? null : method.getAnnotation(MillraceTest.class);
    Class<?> type = context.getRequiredTestClass();
    while (found == null && type != null) {
      found = type.getAnnotation(MillraceTest.class);
      type = type.getEnclosingClass();
    }
    if (found == null) {
      throw new ParameterResolutionException(
          "A TestJob needs @MillraceTest(SomeApplication.class) on its method or class.");
    }
    return found;
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    TestJob job = context.getStore(NAMESPACE).get(TestJob.class, TestJob.class);
    throw job == null ? thrown : withSituation(thrown, job);
  }

  /// Returns a failure that also says what the job ran on.
  static Throwable withSituation(Throwable thrown, TestJob job) {
    thrown.addSuppressed(new Situation(job.situation()));
    return thrown;
  }

  /// Says something and happened nowhere.
  private static final class Situation extends RuntimeException {
    Situation(String message) {
      super(message, null, false, false);
    }
  }
}
