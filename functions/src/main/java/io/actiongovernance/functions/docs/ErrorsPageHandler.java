package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * {@code GET /docs/errors}: the page that {@code doc_url} points into, with an element for each
 * code.
 */
@Operation(
    summary = "The error codes, as a page",
    tag = Tag.DOCUMENTATION,
    mediaType = "text/html",
    sample =
        "<!doctype html>\n<html lang=\"en\">\n<title>Error codes</title>\n…\n<section id=\"not"
            + "_found\">…")
public final class ErrorsPageHandler implements RouteHandler<NoInput> {
  @Override
  public Reply handle(Call call, NoInput none) {
    String rows =
        Arrays.stream(ErrorCode.values())
            .map(
                code ->
                    "<tr id=\"%1$s\"><td>%2$d</td><td><code>%1$s</code></td><td>%3$s</td></tr>"
                        .formatted(code.wire(), code.status(), code.type()))
            .collect(Collectors.joining("\n"));
    return Page.of(
        "Error codes",
        """
        <p>Branch on <code>code</code>, never on <code>message</code>.</p>
        <table>
        <tr><th>Status</th><th>Code</th><th>Type</th></tr>
        %s
        </table>"""
            .formatted(rows));
  }
}
