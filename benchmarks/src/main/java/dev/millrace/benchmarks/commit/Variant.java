package dev.millrace.benchmarks.commit;

import dev.millrace.engine.settings.EngineSettings.Guarantee;

/// What is compared.
enum Variant {
  EXACTLY_ONCE("exactly-once, changelog", Guarantee.EXACTLY_ONCE, true),
  WITHOUT_CHANGELOG("exactly-once, no changelog", Guarantee.EXACTLY_ONCE, false),
  AT_LEAST_ONCE("at-least-once, changelog", Guarantee.AT_LEAST_ONCE, true);

  private final String title;
  private final Guarantee guarantee;
  private final boolean changelog;

  Variant(String title, Guarantee guarantee, boolean changelog) {
    this.title = title;
    this.guarantee = guarantee;
    this.changelog = changelog;
  }

  String title() {
    return title;
  }

  Guarantee guarantee() {
    return guarantee;
  }

  boolean changelog() {
    return changelog;
  }
}
