package dev.millrace.internal.beam.translate;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature.OnTimerFamilyMethod;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature.OnTimerMethod;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature.OnWindowExpirationMethod;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;

/// What a DoFn asks for to see the same if it is called again after a crash
/// (`@RequiresStableInput`).
enum Stability {
  /// Nothing.
  NONE,

  /// That its elements wait until they are committed, and its timers with them.
  WITHOUT_CLOCK,

  /// The same, and it has timers that fire by the clock.
  WITH_CLOCK;

  static Stability of(DoFn<?, ?> fn) {
    DoFnSignature signature = DoFnSignatures.signatureForDoFn(fn);
    if (!isAskedFor(signature)) {
      return NONE;
    }
    return hasClock(signature, fn) ? WITH_CLOCK : WITHOUT_CLOCK;
  }

  private static boolean isAskedFor(DoFnSignature signature) {
    OnWindowExpirationMethod expiration = signature.onWindowExpiration();
    Map<String, OnTimerMethod> timers =
        Objects.requireNonNullElse(signature.onTimerMethods(), Map.of());
    Map<String, OnTimerFamilyMethod> families =
        Objects.requireNonNullElse(signature.onTimerFamilyMethods(), Map.of());
    return signature.processElement().requiresStableInput()
        || timers.values().stream().anyMatch(OnTimerMethod::requiresStableInput)
        || families.values().stream().anyMatch(OnTimerFamilyMethod::requiresStableInput)
        || (expiration != null && expiration.requiresStableInput());
  }

  private static boolean hasClock(DoFnSignature signature, DoFn<?, ?> fn) {
    Stream<TimerSpec> timers =
        signature.timerDeclarations().values().stream()
            .map(each -> DoFnSignatures.getTimerSpecOrThrow(each, fn));
    Stream<TimerSpec> families =
        signature.timerFamilyDeclarations().values().stream()
            .map(each -> DoFnSignatures.getTimerFamilySpecOrThrow(each, fn));
    return Stream.concat(timers, families)
        .anyMatch(each -> each.getTimeDomain() != TimeDomain.EVENT_TIME);
  }
}
