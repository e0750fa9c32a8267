package io.actiongovernance.functions.connector;

import static io.actiongovernance.functions.api.ErrorCode.AUTH_FAILED;
import static io.actiongovernance.functions.api.ErrorCode.CONNECTOR_UPSTREAM_ERROR;
import static io.actiongovernance.functions.api.ErrorCode.STATE_CONFLICT;

import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.connector.Authorizations.Completed;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.outcome.Problem;

/**
 * {@code GET /v1/oauth/callback}: a browser comes back from an authorisation server. It has no key;
 * the sealed state says for which connector it comes. What else an authorisation server sends along
 * is ignored, as RFC 6749 (section 4.1.2) demands.
 */
public final class CompleteAuthorizationHandler implements FieldsHandler {
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <title>Authorised</title>
      <h1>The connector is authorised</h1>
      <p>You can close this window.</p>
      </html>
      """;

  private final Authorizations authorizations;

  public CompleteAuthorizationHandler(Authorizations authorizations) {
    this.authorizations = authorizations;
  }

  @Override
  public Reply handle(Call call) {
    String state = call.query("state");
    String code = call.query("code");
    String error = call.query("error");
    if (state == null) {
      call.noOtherQuery();
      throw Problem.missing("state");
    }
    if (code == null && error == null) {
      throw Problem.missing("code");
    }
    return switch (authorizations.complete(
        state, error == null ? code : null, error, call.requestId(), call.mintedId())) {
      case Completed.Done _ -> new Reply.Page(PAGE, Reply.Page.NOTHING);
      case Completed.BadState(String why) -> throw Problem.invalid("state", why);
      case Completed.Refused(String why) ->
          Reply.error(AUTH_FAILED, "The connector is not authorised: " + why);
      case Completed.UpstreamFailed(String why) ->
          Reply.error(CONNECTOR_UPSTREAM_ERROR, "The connector is not authorised: " + why);
      case Completed.Contended _ ->
          Reply.error(STATE_CONFLICT, "The connector was changed meanwhile: authorise it anew.");
    };
  }
}
