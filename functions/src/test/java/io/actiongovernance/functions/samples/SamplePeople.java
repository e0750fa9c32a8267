package io.actiongovernance.functions.samples;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What only people of a {@link SampledTenant} do: they enrol a passkey that is in no device, sign
 * in by it, and sign what they approve. Everybody is somebody new, with a browser of their own. Not
 * thread-safe.
 */
final class SamplePeople {
  /** Of the statuses, the first of what is refused. */
  private static final int BAD = 400;

  private final SampleService service;
  private final SampleRequests samples;
  private final String origin;
  private final String host;

  SamplePeople(SampleService service, SampleRequests samples) {
    this.service = service;
    this.samples = samples;
    URI base = service.baseUrl();
    this.origin = base.getScheme() + "://" + base.getAuthority();
    this.host = base.getHost();
  }

  /** Somebody who is signed in, by the cookie of their browser. */
  private record Somebody(SoftwareAuthenticator passkey, String passkeyId, String cookie) {}

  /** Somebody enrols their first passkey. */
  void enrol() {
    var unused = enrolled();
  }

  private Somebody enrolled() {
    ObjectNode ticket = Json.object().put("ticket", samples.enrolment());
    String redeemed = cookie(post("/v1/sign_in/tickets/redeem", ticket, null));
    SoftwareAuthenticator passkey = SoftwareAuthenticator.at(origin, host);
    JsonNode challenge = json(post("/v1/passkeys/challenges", Json.object(), redeemed));
    JsonNode enrolled = json(post("/v1/passkeys", passkey.enrolling(challenge, "phone"), redeemed));
    return new Somebody(passkey, enrolled.path("id").textValue(), redeemed);
  }

  /** Somebody signs in by their passkey. */
  void signIn() {
    var unused = signedIn();
  }

  private Somebody signedIn() {
    Somebody somebody = enrolled();
    JsonNode challenge = json(post("/v1/sign_in/passkey/challenges", Json.object(), null));
    String cookie =
        cookie(post("/v1/sign_in/passkey", somebody.passkey().signing(challenge), null));
    return new Somebody(somebody.passkey(), somebody.passkeyId(), cookie);
  }

  /** Somebody's passkey. */
  String passkey() {
    return enrolled().passkeyId();
  }

  /** Somebody is told what they would sign. */
  void askToApprove() {
    var unused = challenge(samples.held(), signedIn());
  }

  /** Somebody signs what is run by it. */
  void approve() {
    sign(samples.held(), signedIn());
  }

  /** Somebody signs what another has to sign too, and takes it back. */
  void withdraw() {
    Somebody somebody = signedIn();
    String plan = samples.heldForTwo();
    sign(plan, somebody);
    var unused =
        ask("DELETE", "/v1/plans/" + plan + "/approval/vote", Json.object(), somebody.cookie());
  }

  /** Somebody has a connector act in their account. */
  void authorize() {
    APIGatewayProxyResponseEvent leaving =
        open("/v1/oauth/authorize", Map.of("state", samples.addressed()), null);
    URI there = URI.create(leaving.getHeaders().get("Location"));
    String state = there.getRawQuery().replaceFirst(".*&state=([^&]*).*", "$1");
    var unused =
        open("/v1/oauth/callback", Map.of("state", state, "code", "c0de"), cookie(leaving));
  }

  private APIGatewayProxyResponseEvent open(
      String path, Map<String, String> query, @Nullable String cookie) {
    return answered(
        new APIGatewayProxyRequestEvent()
            .withHttpMethod("GET")
            .withPath(path)
            .withQueryStringParameters(query)
            .withHeaders(cookie == null ? Map.of() : Map.of("Cookie", cookie)));
  }

  private JsonNode challenge(String plan, Somebody somebody) {
    return json(
        post("/v1/plans/" + plan + "/approval/challenges", Json.object(), somebody.cookie()));
  }

  private void sign(String plan, Somebody somebody) {
    ObjectNode signed = somebody.passkey().signing(challenge(plan, somebody));
    var unused = post("/v1/plans/" + plan + "/approve", signed, somebody.cookie());
  }

  private APIGatewayProxyResponseEvent post(String path, ObjectNode body, @Nullable String cookie) {
    return ask("POST", path, body, cookie);
  }

  private APIGatewayProxyResponseEvent ask(
      String method, String path, ObjectNode body, @Nullable String cookie) {
    Map<String, String> headers = new HashMap<>();
    headers.put("Content-Type", "application/json");
    headers.put("Sec-Fetch-Site", "same-origin");
    if (cookie != null) {
      headers.put("Cookie", cookie);
    }
    return answered(
        new APIGatewayProxyRequestEvent()
            .withHttpMethod(method)
            .withPath(path)
            .withHeaders(headers)
            .withBody(Json.write(body)));
  }

  private APIGatewayProxyResponseEvent answered(APIGatewayProxyRequestEvent request) {
    APIGatewayProxyResponseEvent answer = service.request(request);
    if (answer.getStatusCode() >= BAD) {
      throw new IllegalStateException(
          "%s %s was answered %s: %s"
              .formatted(
                  request.getHttpMethod(),
                  request.getPath(),
                  answer.getStatusCode(),
                  answer.getBody()));
    }
    return answer;
  }

  private static JsonNode json(APIGatewayProxyResponseEvent answer) {
    return Json.read(answer.getBody());
  }

  /** What the browser is told to show from now on. */
  private static String cookie(APIGatewayProxyResponseEvent answer) {
    List<String> cookies =
        Objects.requireNonNull(answer.getMultiValueHeaders().get("Set-Cookie"), "Set-Cookie");
    return cookies.getFirst().split(";", 2)[0];
  }
}
