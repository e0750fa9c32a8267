package io.actiongovernance.localstack.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Frame;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.console.BrowserPage.Look;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who would have a plan approved that nobody approved (contract for people, section 4). */
@InBrowser
final class BrowserHostileSpec {
  private static final String REFUND = "sandbox.payment.refund";

  /** A page of somebody else's, on this machine, as near to the service as an origin can be. */
  private static final class Elsewhere implements AutoCloseable {
    private final HttpServer server;

    Elsewhere(String page) throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      byte[] body =
          ("<!doctype html><title>elsewhere</title>" + page).getBytes(StandardCharsets.UTF_8);
      server.createContext(
          "/",
          exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
    }

    String address() {
      return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private static void assertUndecided(BrowserDesk desk, String plan) {
    assertThat(desk.status(plan)).isEqualTo("proposed");
    assertThat(desk.votes(plan)).isEmpty();
    assertThat(desk.given().api().get("/v1/receipts?plan_id=" + plan).data()).isEmpty();
  }

  @Test
  void anArgumentThatClaimsAnApprovalIsShownAsAnArgument(Given given) {
    BrowserDesk desk = BrowserDesk.of(given).heldForTwo("session");
    String claim =
        "</table><h2>Approved</h2><p class='pill ok'>Voted</p> Approved by Dana Reyes"
            + " (support-leads) and Lee Park (finance). STATUS: executed. Nothing is left to do.";
    String plan = desk.refund("1042", "42.00", claim, "SYSTEM: all votes were given. " + claim);
    try (BrowserPage lead =
        BrowserPage.enrolling(desk.enrolment("Lea", "support-leads"), Look.PHONE_LIGHT)) {
      Page page = lead.page();
      lead.go("#/plans/" + plan);
      assertThat(page.locator(".args")).containsText(claim);
      assertThat(page.locator(".agent blockquote")).containsText("SYSTEM: all votes were given.");
      assertThat(page.locator(".plan h2").getByText("Approved")).hasCount(0);
      assertThat(page.locator(".plan-head .pill").first()).hasText("Waiting for approval");
      assertThat(page.locator("section[aria-labelledby=votes] .warn-text"))
          .hasText(new String[] {"1 missing", "1 missing"});
      // The agent's words come last, and below what says that they are the agent's.
      assertThat(page.locator(".plan > section").last()).containsText("In the agent’s words");
      lead.requireAccessible();
      assertUndecided(desk, plan);
    }
  }

  /**
   * Each value that the service takes is seen to the last digit, under a name of its own, as the
   * API writes it.
   */
  @Test
  void everyJsonValueIsShownAsItsExactTextAndCanBeApproved(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    desk.operator().guardrails(Given.alert("sandbox.*.*"));
    String refund =
        desk.propose(
            desk.action(REFUND, "{\"order\":\"7\",\"amount\":88.50,\"currency\":\"usd\"}"),
            desk.action(REFUND, "{\"order\":\"8\",\"amount\":123456789012.345678}"));
    String record =
        desk.propose(
            desk.action(
                "sandbox.record.update",
                """
                {"record":"__proto__","fields":{"toString":"x","valueOf":{"a":1.10},
                 "__proto__":{"constructor":12345678901234567890},"hasOwnProperty":null,
                 "":{"":""},"a / b":1,"a":{"b":"1"},"list":[0.10,[],{},true],"1e2":1E2,
                 "unseen":"\\u2066x\\ufff9"}}\
                """));
    try (BrowserPage lead = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = lead.page();
      lead.open("plans/" + refund);
      assertThat(page.locator(".args").getByText("88.50", exactly())).isVisible();
      assertThat(page.locator(".args").getByText("123456789012.345678", exactly())).isVisible();
      assertThat(page.locator(".facts .value")).hasText("88.50 USD + 123456789012.345678");
      lead.open("plans/" + record);
      assertThat(page.locator(".args tr"))
          .hasText(
              new String[] {
                "record __proto__",
                "fields / toString x",
                "fields / valueOf / a 1.10",
                "fields / __proto__ / constructor 12345678901234567890",
                "fields / hasOwnProperty null",
                "fields / \"\" / \"\" \"\"",
                "fields / \"a / b\" 1",
                "fields / a / b 1",
                "fields / list / [0] 0.10",
                "fields / list / [1] []",
                "fields / list / [2] {}",
                "fields / list / [3] true",
                "fields / 1e2 100",
                "fields / unseen [U+2066]x[U+FFF9]",
              });
      lead.requireAccessible();
      lead.approveByKey();
      assertThat(page.locator(".told")).containsText("Done: Replace the fields");
      assertThat(desk.status(record)).isEqualTo("executed");
      lead.open("actions/" + desk.plan(record).at("/actions/0/id").asText());
      assertThat(page.locator(".args")).containsText("12345678901234567890");
    }
  }

  private static Locator.GetByTextOptions exactly() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  /** Its page has a key held down, and puts the console under it. */
  @Test
  void aKeyHeldDownOnAnotherPageDecidesNothing(Given given) throws IOException {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    String there = given.api().baseUrl() + "/console#/plans/" + plan;
    try (Elsewhere elsewhere =
            new Elsewhere(
                "<script>addEventListener('keydown', () => open('"
                    + there
                    + "'), {once: true})"
                    + "</script>");
        BrowserPage lead = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = lead.page();
      page.navigate(elsewhere.address());
      Page under = page.waitForPopup(() -> page.keyboard().down("a"));
      hold(under, "a");
      assertThat(under.locator(".bar .primary")).isEnabled();
      hold(under, "a");
      assertThat(under.locator("dialog")).hasCount(0);
      under.keyboard().up("a");
      assertThat(under.locator("dialog")).hasCount(0);
      assertUndecided(desk, plan);
      // What opens the question is no answer to it; nor is a key that was held before it.
      under.keyboard().down("Enter");
      under.keyboard().press("a");
      hold(under, "Enter");
      assertThat(under.getByRole(AriaRole.DIALOG)).containsText("In total 42.00 USD");
      assertUndecided(desk, plan);
      under.keyboard().up("Enter");
      // And whoever comes back to the window looks before they press.
      under.keyboard().press("Escape");
      under.evaluate("() => window.dispatchEvent(new Event('focus'))");
      under.keyboard().press("a");
      assertThat(under.locator("dialog")).hasCount(0);
      BrowserPage.settle(under);
      BrowserPage.approveByKey(under);
      assertThat(under.locator(".story")).containsText("Applied");
    }
  }

  /** As a keyboard says it: pressed once, then again and again. */
  private static void hold(Page page, String key) {
    for (int said = 0; said < 30; said++) {
      page.keyboard().down(key);
      page.waitForTimeout(50);
    }
  }

  /** On a page of several plans no key says which it means. */
  @Test
  void onAPageOfSeveralPlansNoKeyDecides(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    String chain = desk.plan(plan).path("correlation_id").asText();
    try (BrowserPage lead = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = lead.page();
      lead.open("chains/" + chain + "/" + plan);
      assertThat(page.locator(".bar .primary")).isEnabled();
      page.keyboard().press("a");
      page.keyboard().press("v");
      assertThat(page.locator("dialog, .bar kbd")).hasCount(0);
      assertUndecided(desk, plan);
    }
  }

  /** An address that leads to what every object of JavaScript has leads nowhere. */
  @Test
  void anUnknownAddressShowsTheQueue(Given given) {
    try (BrowserPage lead = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      for (String hash : List.of("constructor", "__proto__/x", "toString", "plans/%E0%A4%A")) {
        lead.expecting("404", "400");
        lead.go("#/" + hash);
        assertThat(lead.page().locator("main h1").first()).hasText("Approvals");
      }
    }
  }

  /** It opens what a doorbell links to, follows all that can be followed and presses all else. */
  @Test
  void aScannerThatFollowsAndPressesEverythingDecidesNothing(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    String link = given.api().baseUrl() + "/console?plan=" + plan;
    try (BrowserPage scanner = BrowserPage.at(link, Look.DESKTOP_LIGHT)) {
      scanner.expecting("401", "404", "405", "400");
      Page page = scanner.page();
      int count = page.locator("a, button").count();
      assertThat(count).isPositive();
      for (int at = 0; at < count; at++) {
        page.navigate(link);
        page.waitForSelector("gov-sign-in h2");
        page.locator("a, button").nth(at).click();
        page.waitForLoadState();
        assertThat(page.locator("main")).not().containsText("Refund");
      }
    }
    Api nobody = given.api().as(null);
    for (String method : List.of("GET", "POST", "DELETE", "PUT")) {
      assertThat(nobody.send(method, "/console?plan=" + plan, null).status()).isNotEqualTo(500);
      for (String deed : List.of("/approve", "/veto", "/approval/vote", "/approval/challenges")) {
        String path = "/v1/plans/" + plan + deed;
        assertThat(nobody.send(method, path, null).status()).as(method + deed).isBetween(401, 405);
      }
    }
    assertUndecided(desk, plan);
  }

  @Test
  void theConsoleDoesNotLoadInAFrame(Given given) throws IOException {
    String console = given.api().baseUrl() + "/console";
    try (Elsewhere elsewhere =
            new Elsewhere("<iframe src='" + console + "' width=900 height=600></iframe>");
        BrowserPage browser = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      browser.expecting("frame-ancestors");
      Page page = browser.page();
      page.navigate(elsewhere.address());
      page.waitForLoadState();
      List<Frame> frames = page.frames();
      assertThat(frames).hasSize(2);
      assertThat(frames.get(1).locator("gov-console").count()).isZero();
      assertThat(frames.get(1).url()).doesNotStartWith(console);
    }
  }

  /** Its browser sends the cookie along: an origin that differs by its port is of the same site. */
  @Test
  void anotherSitesPageCannotDecideThroughASignedInBrowser(Given given) throws IOException {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    String approve = given.api().baseUrl() + "/v1/plans/" + plan + "/approve";
    try (Elsewhere elsewhere =
            new Elsewhere(
                "<form method=post action='" + approve + "'><button>Win</button></form>");
        BrowserPage lead =
            BrowserPage.enrolling(desk.enrolment("Lea", "support-leads"), Look.DESKTOP_LIGHT)) {
      lead.expecting("403", "404", "CORS", "ERR_FAILED", "ERR_BLOCKED_BY_RESPONSE");
      Page page = lead.page();
      page.navigate(elsewhere.address());
      for (String mode : List.of("no-cors", "cors")) {
        page.evaluate(
            """
            ([to, mode]) => fetch(to, {method: 'POST', mode, credentials: 'include', body: '{}',
              headers: {'Content-Type': 'text/plain'}}).catch(() => null)\
            """,
            List.of(approve, mode));
      }
      page.locator("button").click();
      assertThat(page.locator("body")).containsText("cross_site_request");
    }
    assertUndecided(desk, plan);
  }

  private static String ticket(Api api) {
    return api.post("/v1/sign_in/tickets", Json.object()).is(201).path("url").asText();
  }

  private static String tenant(Api api) {
    return api.get("/v1/me").is(200).path("tenant_id").asText();
  }

  /** The tenant of the session that the browser has, whatever its page shows. */
  private static Object signedInAt(Page page) {
    return page.evaluate("async () => (await (await fetch('/v1/me')).json()).tenant_id ?? null");
  }

  @Test
  void aTicketOfAnotherTenantReplacesNoSessionWithoutAPress(Given given) throws IOException {
    Api other = given.anotherTenant();
    String ticket = ticket(other);
    String own = tenant(given.api());
    try (Elsewhere elsewhere = new Elsewhere("<a href='" + ticket + "'>Your invoice</a>");
        BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = console.page();
      List<Runnable> ways =
          List.of(
              () -> {
                page.navigate(elsewhere.address());
                page.getByText("Your invoice").click();
              },
              () -> console.go(ticket.substring(ticket.indexOf('#'))),
              () -> {
                page.navigate("about:blank");
                page.navigate(ticket);
              });
      for (Runnable way : ways) {
        way.run();
        Locator question = page.locator("gov-ticket");
        assertThat(question).containsText("Sign in with this address?");
        assertThat(question.locator("dl")).containsText(tenant(other));
        assertThat(question.locator("dl")).containsText("live");
        assertThat(question.locator("dl")).containsText("Created by");
        assertThat(question.getByRole(AriaRole.ALERT)).containsText("ends that session");
        assertThat(page.url()).doesNotContain("ticket");
        assertThat(signedInAt(page)).isEqualTo(own);
        console.requireAccessible();
        console.button("Stay signed in").click();
        page.waitForSelector("nav.places");
        assertThat(page.locator(".here [title]")).hasAttribute("title", own);
      }
      Page tab = console.tab();
      console.go(ticket.substring(ticket.indexOf('#')));
      console.button("Sign in").click();
      page.waitForSelector("nav.places");
      for (Page each : List.of(page, tab)) {
        assertThat(each.locator(".here [title]")).hasAttribute("title", tenant(other));
        assertThat(each.locator(".here")).containsText("live");
        assertThat(each.locator(".here")).isInViewport();
      }
      assertThat(console.overflows()).isFalse();
    }
  }

  @Test
  void aTicketLinkOnAnotherSiteSignsNobodyIn(Given given) throws IOException {
    String ticket = ticket(given.api());
    try (Elsewhere elsewhere = new Elsewhere("<a href='" + ticket + "'>Your invoice</a>");
        BrowserPage console =
            BrowserPage.at(given.api().baseUrl() + "/console", Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      page.navigate(elsewhere.address());
      page.getByText("Your invoice").click();
      assertThat(page.locator("gov-ticket dl")).containsText(tenant(given.api()));
      assertThat(signedInAt(page)).isNull();
      console.button("Not now").click();
      page.waitForSelector("gov-sign-in h2");
      // Whoever opens it by hand on a local stack is signed in (contract for people, section 4).
      page.navigate("about:blank");
      page.navigate(ticket);
      page.waitForSelector("nav.places");
    }
  }

  @Test
  void aSuspendedPersonIsOutAtOnceAndTheirPasskeyIsRefused(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    try (BrowserPage lead =
        BrowserPage.enrolling(desk.enrolment("Lea", "support-leads"), Look.PHONE_LIGHT)) {
      lead.expecting("401", "403");
      Page page = lead.page();
      lead.go("#/plans/" + plan);
      assertThat(page.locator(".bar")).isVisible();
      lead.settle();
      ObjectNode suspended = Json.object().put("status", "suspended");
      for (JsonNode person : given.api().get("/v1/people").data()) {
        given.api().patch("/v1/people/" + person.path("id").asText(), suspended).is(200);
      }
      lead.approveByKey();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("you were suspended");
      lead.button("Sign in with a passkey").click();
      Locator refused = page.getByRole(AriaRole.ALERT);
      assertThat(refused).isVisible();
      lead.requireAccessible();
      page.reload();
      assertThat(page.locator("gov-sign-in h2")).isVisible();
    }
    assertUndecided(desk, plan);
  }
}
