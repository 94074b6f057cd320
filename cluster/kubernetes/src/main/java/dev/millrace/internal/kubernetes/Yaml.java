package dev.millrace.internal.kubernetes;

import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/// Objects as documents of YAML.
public final class Yaml {
  private static final DumpSettings BLOCKS =
      DumpSettings.builder()
          .setDefaultFlowStyle(FlowStyle.BLOCK)
          .setIndicatorIndent(2)
          .setIndentWithIndicator(true)
          .setSplitLines(false)
          .build();

  private Yaml() {}

  /// Returns documents one behind the other, each with a line `---` before it.
  public static String of(List<Map<String, Object>> documents) {
    Dump dump = new Dump(BLOCKS);
    StringBuilder text = new StringBuilder();
    documents.forEach(each -> text.append("---\n").append(dump.dumpToString(each)));
    return text.toString();
  }
}
