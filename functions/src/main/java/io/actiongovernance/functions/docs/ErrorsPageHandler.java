package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * {@code GET /docs/errors}: the page that {@code doc_url} points into, with an element for each
 * code.
 */
public final class ErrorsPageHandler implements FieldsHandler {
  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
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
