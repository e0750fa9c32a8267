package io.actiongovernance.localstack.acceptance.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tickets and sessions (contract for people, section 1). */
@Acceptance
public final class SessionsSpec {
  private static final String TICKETS = "/v1/sign_in/tickets";
  private static final String OWN_PAGE = "same-origin";

  /** A browser that is signed in: it shows a cookie, and no key. */
  private record Browser(Api api, String cookie) {
    Answer get(String path) {
      return api.get(path, "Cookie", cookie);
    }

    /** As a page of the service asks. */
    Answer send(String method, String path, JsonNode body) {
      return api.send(method, path, Json.write(body), "Cookie", cookie, "Sec-Fetch-Site", OWN_PAGE);
    }
  }

  private static String ticket(Api by) {
    JsonNode made = by.post(TICKETS, Json.object()).is(201);
    assertThat(made.path("expires_at").asText()).endsWith("Z");
    String url = made.path("url").asText();
    assertThat(url).startsWith(by.baseUrl() + "/console#ticket=");
    return url.substring(url.indexOf('=') + 1);
  }

  private static Answer redeemed(Api by, String ticket, String... headers) {
    return by.as(null).post(TICKETS + "/redeem", Json.object().put("ticket", ticket), headers);
  }

  private static Browser signedIn(Api by) {
    Answer answer = redeemed(by, ticket(by), "Sec-Fetch-Site", OWN_PAGE);
    answer.is(200);
    String cookie = answer.header("Set-Cookie");
    assertThat(cookie).contains("; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age=43200");
    if (by.baseUrl().getScheme().equals("https")) {
      assertThat(cookie).startsWith("__Host-gov-").contains("; Secure");
    } else {
      assertThat(cookie).startsWith("gov-").doesNotContain("Secure");
    }
    return new Browser(by.as(null), cookie.split(";", 2)[0]);
  }

  /** The identifier of a session that is begun by a ticket of the key. */
  public static String begun(Api by) {
    return redeemed(by, ticket(by)).is(200).path("id").asText();
  }

  private static String key(Api by) {
    return by.get("/v1/me").is(200).at("/principal/id").asText();
  }

  @Test
  void aTicketsSessionActsAsItsKeyAndIsNotVerified(Given given) {
    Api api = given.api();
    Browser browser = signedIn(api);
    JsonNode me = browser.get("/v1/me").is(200);
    assertThat(me.at("/principal/id").asText()).isEqualTo(key(api));
    assertThat(me.path("scopes")).isEqualTo(api.get("/v1/me").json().path("scopes"));
    assertThat(me.at("/session/method").asText()).isEqualTo("key");
    assertThat(me.at("/session/verified").asBoolean()).isFalse();
    assertThat(me.at("/session/current").asBoolean()).isTrue();
    assertThat(api.get("/v1/me").json().path("session").isNull()).isTrue();
    browser.get("/v1/plans").is(200);
    assertThat(browser.send("POST", "/v1/keys", named()).is(201).at("/created_by/id").asText())
        .isEqualTo(key(api));
  }

  private static JsonNode named() {
    return Json.object().put("name", Given.unique("desk")).put("role", "read_only");
  }

  @Test
  void aTicketIsSingleUse(Given given) {
    String ticket = ticket(given.api());
    redeemed(given.api(), ticket).is(200);
    redeemed(given.api(), ticket).isError(401, "unauthenticated");
    redeemed(given.api(), "x".repeat(69)).isError(401, "unauthenticated");
    redeemed(given.api(), "x").isError(401, "unauthenticated");
  }

  @Test
  void aTicketIsInspectedWithoutUsingItUp(Given given) {
    String ticket = ticket(given.api());
    JsonNode me = given.api().get("/v1/me").is(200);
    Api nobody = given.api().as(null);
    for (int i = 0; i < 2; i++) {
      JsonNode shown =
          nobody.post(TICKETS + "/inspect", Json.object().put("ticket", ticket)).is(200);
      for (String same : List.of("tenant_id", "tenant_name", "mode", "principal")) {
        assertThat(shown.required(same)).as(same).isEqualTo(me.required(same));
      }
      assertThat(shown.path("created_by")).isEqualTo(me.path("principal"));
      assertThat(shown.path("method").asText()).isEqualTo("key");
      assertThat(shown.toString()).doesNotContain(ticket);
    }
    redeemed(given.api(), ticket).is(200);
    for (String unknown : new String[] {ticket, "x", "x".repeat(69)}) {
      nobody
          .post(TICKETS + "/inspect", Json.object().put("ticket", unknown))
          .isError(401, "unauthenticated");
    }
    nobody
        .post(
            TICKETS + "/inspect",
            Json.object().put("ticket", ticket(given.api())),
            "Origin",
            "https://evil.example")
        .isError(403, "cross_site_request");
  }

  @Test
  void anEnrolmentAddressIsInspectedLikeATicket(Given given) {
    JsonNode dana = given.api().post("/v1/people", Json.object().put("name", "Dana Reyes")).is(201);
    String url = dana.path("enrolment_url").asText();
    ObjectNode ticket = Json.object().put("ticket", url.substring(url.indexOf('=') + 1));
    JsonNode shown = given.api().as(null).post(TICKETS + "/inspect", ticket).is(200);
    assertThat(shown.path("method").asText()).isEqualTo("enrolment");
    assertThat(shown.at("/principal/id")).isEqualTo(dana.path("id"));
    assertThat(shown.at("/created_by/id").asText()).isEqualTo(key(given.api()));
  }

  @Test
  void aRedemptionNamesATicketAndNothingElse(Given given) {
    Api nobody = given.api().as(null);
    nobody.post(TICKETS + "/redeem", Json.object()).isError(400, "missing_parameter");
    nobody.post(TICKETS + "/redeem", Json.object().put("ticket", 1)).isInvalid("ticket");
    nobody
        .post(TICKETS + "/redeem", Json.object().put("ticket", "x").put("other", 1))
        .isInvalid("other");
  }

  @Test
  void aRepeatedTicketRequestReturnsTheSameTicket(Given given) {
    String key = Given.unique("ticket");
    Answer first = given.api().post(TICKETS, Json.object(), "Idempotency-Key", key);
    Answer again = given.api().post(TICKETS, Json.object(), "Idempotency-Key", key);
    assertThat(again.is(200)).isEqualTo(first.is(201));
  }

  @Test
  void onlyAdministratorsMakeTickets(Given given) {
    given.apiOfRole("operate").post(TICKETS, Json.object()).isError(403, "insufficient_scope");
  }

  @Test
  void onlyTheServicesOwnPagesMakeChangesWithACookie(Given given) {
    Browser browser = signedIn(given.api());
    String body = Json.write(named());
    for (String[] said :
        new String[][] {
          {},
          {"Sec-Fetch-Site", "cross-site"},
          {"Sec-Fetch-Site", "same-site"},
          {"Sec-Fetch-Site", "none"},
          {"Origin", "https://evil.example"},
          {"Origin", "null"}
        }) {
      String[] headers = new String[said.length + 2];
      headers[0] = "Cookie";
      headers[1] = browser.cookie();
      System.arraycopy(said, 0, headers, 2, said.length);
      browser.api().send("POST", "/v1/keys", body, headers).isError(403, "cross_site_request");
    }
    String origin =
        given.api().baseUrl().getScheme() + "://" + given.api().baseUrl().getAuthority();
    browser
        .api()
        .send("POST", "/v1/keys", body, "Cookie", browser.cookie(), "Origin", origin)
        .is(201);
    redeemed(given.api(), ticket(given.api()), "Origin", "https://evil.example")
        .isError(403, "cross_site_request");
  }

  @Test
  void aKeyTakesPrecedenceOverTheCookie(Given given) {
    Browser browser = signedIn(given.api());
    Api other = given.apiOfRole("read_only");
    JsonNode me = other.get("/v1/me", "Cookie", browser.cookie()).is(200);
    assertThat(me.path("session").isNull()).isTrue();
    other.as("sk_live_wrong").get("/v1/me", "Cookie", browser.cookie()).isError(401, "key_invalid");
  }

  @Test
  void aSessionEndsOnDeletionOrSignOut(Given given) {
    Browser first = signedIn(given.api());
    Browser second = signedIn(given.api());
    String id = second.get("/v1/me").json().at("/session/id").asText();
    assertThat(given.api().get("/v1/sessions?limit=100").ids()).contains(id);
    given.apiOfRole("read_only").delete("/v1/sessions/" + id).isError(404, "not_found");
    assertThat(given.apiOfRole("read_only").get("/v1/sessions").ids()).isEmpty();
    first.send("DELETE", "/v1/sessions/" + id, Json.object()).is(200);
    JsonNode ended = second.get("/v1/me").isError(401, "unauthenticated");
    assertThat(ended.at("/details/reason").asText()).isEqualTo("ended");
    given.api().delete("/v1/sessions/" + id).isError(404, "not_found");
    Answer out = first.send("POST", "/v1/sign_out", Json.object());
    assertThat(out.is(200).path("id").isNull()).isFalse();
    assertThat(out.header("Set-Cookie")).contains("Max-Age=0");
    first.get("/v1/me").isError(401, "unauthenticated");
  }

  @Test
  void aSessionAndATicketEndWithTheirKey(Given given) {
    JsonNode key =
        given
            .api()
            .post("/v1/keys", Json.object().put("name", Given.unique("admin")).put("role", "admin"))
            .is(201);
    Api admin = given.api().as(key.path("secret").asText());
    Browser browser = signedIn(admin);
    String ticket = ticket(admin);
    browser.get("/v1/plans").is(200);
    given.api().delete("/v1/keys/" + key.path("id").asText()).is(200);
    JsonNode ended = browser.get("/v1/plans").isError(401, "unauthenticated");
    assertThat(ended.at("/details/reason").asText()).isEqualTo("revoked");
    redeemed(given.api(), ticket).isError(401, "unauthenticated");
  }

  @Test
  void aBrowserThatSignsInAgainHasOneSession(Given given) {
    Browser first = signedIn(given.api());
    String id = first.get("/v1/me").is(200).at("/session/id").asText();
    String again =
        redeemed(given.api(), ticket(given.api()), "Cookie", first.cookie())
            .is(200)
            .path("id")
            .asText();
    assertThat(given.api().get("/v1/sessions?limit=100").ids()).contains(again).doesNotContain(id);
    first.get("/v1/me").isError(401, "unauthenticated");
  }

  @Test
  void aForgedCookieIsRefused(Given given) {
    Browser browser = signedIn(given.api());
    String cookie = Objects.requireNonNull(browser.cookie());
    String forged = cookie.substring(0, cookie.length() - 2) + "__";
    new Browser(browser.api(), forged).get("/v1/me").isError(401, "unauthenticated");
    String name = cookie.substring(0, cookie.indexOf('=') + 1);
    for (String value : new String[] {"", "x", "a.b.c.d", "t_x.live.ses_x.y"}) {
      new Browser(browser.api(), name + value).get("/v1/me").isError(401, "unauthenticated");
    }
  }

  @Test
  void aCookieIsReadByItsNameAmongOthers(Given given) throws IOException, InterruptedException {
    Browser browser = signedIn(given.api());
    String own = browser.cookie();
    String name = own.substring(0, own.indexOf('=') + 1);
    for (String shown :
        new String[] {
          "a=x," + name + "EVIL; " + own,
          own + "; a=x," + name + "EVIL",
          "x" + name + "EVIL;" + own + " ; b=\"; c",
        }) {
      new Browser(browser.api(), shown).get("/v1/me").is(200);
    }
    assertThat(twice(browser, "a=x", own)).isEqualTo(200);
    assertThat(twice(browser, own, "a=x")).isEqualTo(200);
  }

  @Test
  void aCookieSentTwiceIsRefused(Given given) throws IOException, InterruptedException {
    Browser browser = signedIn(given.api());
    String own = browser.cookie();
    String evil = own.substring(0, own.indexOf('=') + 1) + "EVIL";
    for (String shown : new String[] {own + "; " + evil, evil + ";" + own, own + "; " + own}) {
      new Browser(browser.api(), shown).get("/v1/me").isError(401, "unauthenticated");
    }
    assertThat(twice(browser, own, evil)).isEqualTo(401);
    assertThat(twice(browser, evil, own)).isEqualTo(401);
    browser.get("/v1/me").is(200);
  }

  /** What is answered to a request with two headers of cookies. */
  private static int twice(Browser browser, String first, String second)
      throws IOException, InterruptedException {
    HttpRequest asked =
        browser.api().request("/v1/me").header("Cookie", first).header("Cookie", second).build();
    return browser.api().client().send(asked, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void ticketsAreReceipted(Given given) {
    String config = "/v1/receipts?kind=config&limit=100";
    Browser browser = signedIn(given.api());
    String id = browser.get("/v1/me").json().at("/session/id").asText();
    assertThat(
            given.api().get(config).data().stream()
                .filter(receipt -> receipt.at("/target/id").asText().equals(id)))
        .hasSize(2)
        .allSatisfy(
            receipt -> {
              assertThat(receipt.at("/target/type").asText()).isEqualTo("ticket");
              assertThat(receipt.at("/decided_by/0/id").asText()).isEqualTo(key(given.api()));
            });
  }
}
