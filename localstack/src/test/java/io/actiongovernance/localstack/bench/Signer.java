package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.samples.SoftwareAuthenticator;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * A person of a tenant who is signed in by a passkey and signs what they approve, as the console
 * has them do. Thread-safe.
 */
record Signer(Tenant tenant, SoftwareAuthenticator passkey, String cookie) {
  /** Somebody new, who may approve. */
  static Signer of(Tenant tenant) throws IOException, InterruptedException {
    String url =
        tenant
            .post("/v1/people", "{\"name\":\"Dana\",\"bindings\":[{\"role\":\"operate\"}]}")
            .path("enrolment_url")
            .textValue();
    URI base = tenant.baseUrl();
    SoftwareAuthenticator passkey =
        SoftwareAuthenticator.at(base.getScheme() + "://" + base.getAuthority(), base.getHost());
    ObjectNode ticket = Json.object().put("ticket", url.replaceFirst(".*#ticket=", ""));
    Signer enrolling = new Signer(tenant, passkey, "");
    enrolling =
        new Signer(tenant, passkey, cookie(enrolling.send("/v1/sign_in/tickets/redeem", ticket)));
    JsonNode challenge = enrolling.post("/v1/passkeys/challenges", Json.object());
    enrolling.post("/v1/passkeys", passkey.enrolling(challenge, "bench"));
    JsonNode asked = enrolling.post("/v1/sign_in/passkey/challenges", Json.object());
    String cookie = cookie(enrolling.send("/v1/sign_in/passkey", passkey.signing(asked)));
    return new Signer(tenant, passkey, cookie);
  }

  /** What approves a plan, signed: it has yet to be sent. */
  ObjectNode signs(String plan) throws IOException, InterruptedException {
    return passkey.signing(post("/v1/plans/" + plan + "/approval/challenges", Json.object()));
  }

  JsonNode post(String path, ObjectNode body) throws IOException, InterruptedException {
    return Json.read(send(path, body).body());
  }

  private HttpResponse<String> send(String path, ObjectNode body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(tenant.baseUrl().resolve(path))
            .header("Content-Type", "application/json")
            .header("Sec-Fetch-Site", "same-origin")
            .POST(BodyPublishers.ofString(Json.write(body)));
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    HttpResponse<String> answer = tenant.http().send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IllegalStateException(path + " answered " + answer.statusCode() + answer.body());
    }
    return answer;
  }

  private static String cookie(HttpResponse<String> answer) {
    return answer.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
  }
}
