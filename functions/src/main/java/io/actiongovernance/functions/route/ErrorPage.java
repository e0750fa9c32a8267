package io.actiongovernance.functions.route;

import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.id.RequestId;
import java.net.URI;

/** An error as a page for people. Stateless. */
final class ErrorPage {
  private ErrorPage() {}

  static PlainPage of(ApiError error, RequestId requestId, URI baseUrl) {
    return PlainPage.card(
        error.code().wire(),
        """
        <h1>That did not work</h1>
        <div class="note bad" role="alert"><div>
        <p>%2$s</p>
        <p class="small"><a href="%3$s">%1$s</a>, request <span class="id">%4$s</span></p>
        </div></div>
        <p><a class="button primary" href="%5$s">To the console</a></p>
        """
            .formatted(
                error.code().wire(),
                PlainPage.escaped(error.message()),
                BaseUrl.at(baseUrl, "/docs/errors#" + error.code().wire()),
                requestId.value(),
                BaseUrl.at(baseUrl, console(error))));
  }

  /**
   * Returns the console's address. For an unknown identity provider, the address makes the console
   * forget that provider.
   */
  private static String console(ApiError error) {
    return error.code() == ErrorCode.NOT_FOUND ? "/console?idp=" : "/console";
  }
}
