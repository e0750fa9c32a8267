package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.LeftOutTool;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import java.util.List;

/** A tool that cannot be called, with the reason (contract, section 5). */
@Doc("A tool that the server lists, or `config.tools` names, but that cannot be" + " called.")
record LeftOutToolView(
    @Field(
            doc =
                "Name of the tool, as the server or `config.tools` gives it; cut at 128"
                    + " characters.",
            example = "find_any")
        String name,
    @Field(
            doc = "Reason, in one sentence; cut at 300 characters.",
            example = "It has no inputSchema.")
        String reason) {
  static final String DOC =
      "Tools of a Model Context Protocol server that were left out because they"
          + " cannot be called, with the reason; at most 50.";

  static List<LeftOutToolView> of(List<LeftOutTool> leftOut) {
    return leftOut.stream().map(tool -> new LeftOutToolView(tool.name(), tool.reason())).toList();
  }
}
