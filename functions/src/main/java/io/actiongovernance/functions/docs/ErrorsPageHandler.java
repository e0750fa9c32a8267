package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import java.net.URI;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * {@code GET /docs/errors}: the page that {@code doc_url} points to. It has an element for each
 * code.
 */
@Operation(
    summary = "Show the error codes as a page",
    tag = Tag.DOCUMENTATION,
    mediaType = "text/html",
    sample =
        "<!doctype html>\n<html lang=\"en\">\n<title>Error codes</title>\n…\n<section id=\"not"
            + "_found\">…")
public final class ErrorsPageHandler implements RouteHandler<NoInput> {
  private final Reply page;

  public ErrorsPageHandler(URI baseUrl) {
    String sections =
        Arrays.stream(ErrorCode.values())
            .map(code -> section(code, baseUrl))
            .collect(Collectors.joining("\n"));
    this.page =
        Page.of(
            "Error codes",
            "<p>Branch on <code>code</code>, never on <code>message</code>. For a code that you do"
                + " not know, fall back to <code>type</code>.</p>\n"
                + sections);
  }

  @Override
  public Reply handle(Call call, NoInput none) {
    return page;
  }

  private static String section(ErrorCode code, URI baseUrl) {
    return """
        <section id="%1$s">
        <h2><code>%1$s</code></h2>
        <p>Status %2$s, type <code>%3$s</code>.</p>
        <dl>
        <dt>What happened</dt><dd>%4$s</dd>
        <dt>What to do</dt><dd>%5$s</dd>
        <dt>Retry?</dt><dd>%6$s</dd>
        </dl>
        <pre tabindex="0" aria-label="An example answer">%7$s</pre>
        </section>"""
        .formatted(
            code.wire(),
            code.status(),
            code.type().wire(),
            html(code.happened()),
            html(code.remedy()),
            html(code.retry().sentence()),
            escaped(Responses.errorExample(code, baseUrl).toPrettyString()));
  }

  /** Converts text with names between backticks to HTML. */
  private static String html(String text) {
    return escaped(text).replaceAll("`([^`]*)`", "<code>$1</code>");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
