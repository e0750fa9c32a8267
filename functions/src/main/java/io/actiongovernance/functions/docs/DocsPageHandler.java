package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.settings.BaseUrl;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code GET /docs}: the page that shows the contract. Its content policy lets it load only from
 * this service.
 */
@Operation(
    summary = "Show this document as a page",
    tag = Tag.DOCUMENTATION,
    mediaType = "text/html",
    sample =
        "<!doctype html>\n<html lang=\"en\">\n<title>Action Governance Service: API</title>\n…")
public final class DocsPageHandler implements RouteHandler<NoInput> {
  private static final String LOADS =
      "default-src 'self'; object-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'"
          + " data:; worker-src 'self' blob:; connect-src ";

  private static final List<String> HERE = List.of("localhost", "127.0.0.1");

  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Action Governance Service: API</title>
      </head>
      <body style="margin:0">
      <redoc spec-url="v1/openapi.json" hide-download-button></redoc>
      <noscript>The contract: <a href="v1/openapi.json">OpenAPI 3.1</a>. The <a href="docs/errors">error codes</a>. The <a href="docs/changelog">changelog</a>.</noscript>
      <script src="docs/redoc.standalone.js"></script>
      </body>
      </html>
      """;

  private final Reply page;

  /**
   * @param baseUrl the service root. The viewer shares its origin with the console, and so with the
   *     session of its reader. Its content policy therefore permits the document and nothing else
   */
  public DocsPageHandler(URI baseUrl) {
    String document = BaseUrl.at(baseUrl, "/v1/openapi.json").toString();
    // A stack on this machine is reachable by name and by address.
    Stream<String> documents =
        HERE.contains(String.valueOf(baseUrl.getHost()))
            ? HERE.stream().map(host -> document.replaceFirst("//[^:/]+", "//" + host))
            : Stream.of(document);
    this.page = new Reply.Page(PAGE, LOADS + documents.collect(Collectors.joining(" ")));
  }

  @Override
  public Reply handle(Call call, NoInput none) {
    return page;
  }
}
