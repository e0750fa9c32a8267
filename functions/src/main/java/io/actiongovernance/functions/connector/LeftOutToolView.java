package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.LeftOutTool;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import java.util.List;

/** A tool that cannot be called, and why (contract, section 5). */
@Doc("A tool that its server lists, or `config.tools` names, and that cannot be called.")
record LeftOutToolView(
    @Field(
            doc =
                "The server's own name of it, or as `config.tools` says it; cut at 128 characters.",
            example = "find_any")
        String name,
    @Field(doc = "Why, in one sentence; cut at 300 characters.", example = "It has no inputSchema.")
        String reason) {
  /** What a list of them is. */
  static final String DOC =
      "The tools of a Model Context Protocol server that are left out since they cannot be called, at most 50, with the reason.";

  static List<LeftOutToolView> of(List<LeftOutTool> leftOut) {
    return leftOut.stream().map(tool -> new LeftOutToolView(tool.name(), tool.reason())).toList();
  }
}
