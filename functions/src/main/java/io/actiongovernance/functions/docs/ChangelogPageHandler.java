package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.api.Change;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * {@code GET /docs/changelog}: the page that the {@code Link} of a deprecation points to. It has an
 * element for each change.
 */
@Operation(
    summary = "Show the changelog of the contract as a page",
    tag = Tag.DOCUMENTATION,
    mediaType = "text/html",
    sample = "<!doctype html>\n<html lang=\"en\">\n<title>Changelog</title>\n…")
public final class ChangelogPageHandler implements RouteHandler<NoInput> {
  @Override
  public Reply handle(Call call, NoInput none) {
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
