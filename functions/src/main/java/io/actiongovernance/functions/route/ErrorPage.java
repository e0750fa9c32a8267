package io.actiongovernance.functions.route;

import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.id.RequestId;
import java.net.URI;

/** What a person reads of an error. Stateless. */
final class ErrorPage {
  private ErrorPage() {}

  static String of(ApiError error, RequestId requestId, URI baseUrl) {
    return """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>%1$s</title>
        <h1>That did not work</h1>
        <p>%2$s</p>
        <p><a href="%3$s">%1$s</a>, request %4$s</p>
        <p><a href="%5$s">To the console</a></p>
        </html>
        """
        .formatted(
            error.code().wire(),
            escaped(error.message()),
            BaseUrl.at(baseUrl, "/docs/errors#" + error.code().wire()),
            requestId.value(),
            BaseUrl.at(baseUrl, "/console"));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
