package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.api.Change;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * {@code GET /docs/changelog}: the page that the {@code Link} of a deprecation points into, with an
 * element for each change.
 */
public final class ChangelogPageHandler implements FieldsHandler {
  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    String entries =
        Arrays.stream(Change.values())
            .map(
                change ->
                    "<h2 id=\"%s\">%s</h2>\n<p>%s: %s</p>"
                        .formatted(change.anchor(), change.title(), change.date(), change.text()))
            .collect(Collectors.joining("\n"));
    return Page.of("Changelog of the contract", entries);
  }
}
