package io.actiongovernance.localstack.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.HasCountOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import com.microsoft.playwright.options.AriaRole;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.console.BrowserPage.Look;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The console while things go wrong around it, or happen at once (contract for people, 3 and 4).
 */
@InBrowser
final class BrowserTroubleSpec {
  /** More than the six connections that a browser has for an address. */
  private static final int TABS = 10;

  private static final int LONGER_THAN_A_PLAN_SETTLES = 1_200;

  private static void openPlan(BrowserPage console, String plan) {
    console.go("#/plans/" + plan);
    assertThat(console.page().locator(".bar")).isVisible();
    console.settle();
  }

  /** Many tabs share six connections. */
  private static void assertApplied(Page page) {
    assertThat(page.locator(".story"))
        .containsText("Applied", new ContainsTextOptions().setTimeout(40_000));
  }

  /** How often actions of a plan were applied, by its receipts. */
  private static long applied(Given given, String plan) {
    return given.api().get("/v1/receipts?plan_id=" + plan).data().stream()
        .filter(receipt -> receipt.path("outcome").asText().equals("applied"))
        .count();
  }

  @Test
  void manyTabsOfOnePersonShareOneStreamAndOneVote(Given given) {
    BrowserDesk desk = BrowserDesk.of(given).heldForTwo("session");
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    Human other = Human.of(given, "Fin", "operate", "finance");
    try (BrowserPage lead =
        BrowserPage.enrolling(desk.enrolment("Lea", "support-leads"), Look.DESKTOP_LIGHT)) {
      // Tabs that change their mind at once may each be told that another was first.
      lead.expecting("409");
      openPlan(lead, plan);
      lead.awaitLive();
      List<Page> tabs = Stream.generate(lead::tab).limit(TABS - 1).toList();
      tabs.forEach(BrowserPage::settle);
      assertThat(lead.streams()).isEqualTo(1);
      tabs.forEach(BrowserPage::approveByKey);
      lead.approveByKey();
      for (Page tab : tabs) {
        assertThat(tab.getByText("Withdraw vote"))
            .hasCount(1, new HasCountOptions().setTimeout(40_000));
      }
      assertThat(desk.votes(plan)).hasSize(1);
      assertThat(desk.status(plan)).isEqualTo("proposed");
      other.post("/v1/plans/" + plan + "/approve", Json.object()).is(200);
      tabs.forEach(BrowserTroubleSpec::assertApplied);
      assertThat(applied(given, plan)).isEqualTo(1);
      assertThat(lead.streams()).isEqualTo(1);
    }
  }

  @Test
  void anEndedSessionDecidesNothingAndReturnsToItsPlan(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    try (BrowserPage lead =
        BrowserPage.enrolling(desk.enrolment("Lea", "support-leads"), Look.PHONE_LIGHT)) {
      lead.expecting("401");
      openPlan(lead, plan);
      for (JsonNode session : given.api().get("/v1/sessions").data()) {
        if (session.at("/principal/name").asText().equals("Lea")) {
          given.api().delete("/v1/sessions/" + session.path("id").asText()).is(200);
        }
      }
      lead.approveByKey();
      assertThat(lead.page().locator("gov-sign-in h2")).isVisible();
      assertThat(lead.page().locator("main")).not().containsText("Refund");
      assertThat(lead.page().getByRole(AriaRole.ALERT)).containsText("The session has ended.");
      assertThat(lead.page().getByRole(AriaRole.ALERT)).containsText("You return to the page");
      lead.requireAccessible();
      assertThat(desk.status(plan)).isEqualTo("proposed");
      lead.button("Sign in with a passkey").click();
      assertThat(lead.page().locator(".plan h1")).containsText("Refund 42.00 of order 1042");
      assertThat(desk.status(plan)).isEqualTo("proposed");
      lead.settle();
      lead.approveByKey();
      assertApplied(lead.page());
    }
  }

  @Test
  void theHaltButtonWorksWhileTheUserIsUnknown(Given given) {
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      console.expecting("429", "503");
      Page page = console.page();
      for (int status : new int[] {429, 503}) {
        page.route("**/v1/me", route -> route.fulfill(refusal(status)));
        page.reload();
        page.locator("button.halt").click();
        page.getByLabel("Reason").fill("An agent uses up everything.");
        console.requireAccessible();
        page.getByRole(AriaRole.DIALOG).getByText("Halt").last().click();
        assertThat(page.locator(".told")).containsText("Halted");
        String halt = given.api().get("/v1/halts?active=true").ids().getFirst();
        given
            .api()
            .post("/v1/halts/" + halt + "/lift", Json.object().put("reason", "Tried."))
            .is(200);
      }
      page.unroute("**/v1/me");
      // The page asks again by itself.
      assertThat(page.locator("nav.places")).isVisible(new IsVisibleOptions().setTimeout(30_000));
    }
  }

  private static Route.FulfillOptions refusal(int status) {
    return new Route.FulfillOptions()
        .setStatus(status)
        .setContentType("application/json")
        .setHeaders(Map.of("Retry-After", "1"))
        .setBody("{\"error\":{\"code\":\"refused\",\"message\":\"Later.\"}}");
  }

  @Test
  void openingATicketAfterTheSessionEndedReturnsToTheSamePage(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    try (BrowserPage lead = BrowserPage.open(given.api(), Look.PHONE_DARK)) {
      lead.expecting("401");
      Page page = lead.page();
      openPlan(lead, plan);
      String own = given.api().get("/v1/sessions").data().get(0).path("id").asText();
      given.api().delete("/v1/sessions/" + own).is(200);
      // What is left open asks by itself, and so hears of it without a press.
      assertThat(page.getByRole(AriaRole.ALERT))
          .containsText("The session has ended.", new ContainsTextOptions().setTimeout(20_000));
      page.navigate(ticket(given));
      lead.button("Sign in").click();
      assertThat(page.locator(".plan h1")).containsText("Refund 42.00 of order 1042");
      page.reload();
      assertThat(page.locator(".plan h1")).containsText("Refund 42.00 of order 1042");
      // Nor need the page have heard of it, or anything be over.
      page.navigate(ticket(given));
      page.waitForResponse("**/v1/sign_in/tickets/redeem", () -> lead.button("Sign in").click());
      assertThat(page.locator(".plan h1")).containsText("Refund 42.00 of order 1042");
      lead.open("more");
      lead.button("Sign out").last().click();
      page.waitForSelector("gov-sign-in h2");
      assertThat(page.getByRole(AriaRole.ALERT)).hasCount(0);
      page.reload();
      page.waitForSelector("gov-sign-in h2");
      assertThat(page.getByRole(AriaRole.ALERT)).hasCount(0);
    }
  }

  private static String ticket(Given given) {
    return given.api().post("/v1/sign_in/tickets", Json.object()).is(201).path("url").asText();
  }

  @Test
  void aCutStreamIsResumedWithoutMissingAnything(Given given) throws IOException {
    BrowserDesk desk = BrowserDesk.of(given);
    String ticket = ticket(given);
    try (BrowserRelay way = new BrowserRelay(given.api().baseUrl());
        BrowserPage console = BrowserPage.openAt(way.address(ticket), Look.DESKTOP_LIGHT)) {
      console.expecting("net::ERR_");
      console.awaitLive();
      way.cut();
      console.awaitCut();
      desk.refund("1042", "42.00", "Damaged in transit");
      way.mend();
      Page page = console.page();
      assertThat(page.locator(".plan-row"))
          .containsText("Refund 42.00 of order 1042", new ContainsTextOptions().setTimeout(20_000));
      page.waitForCondition(() -> console.streams() > 1);
      desk.refund("1043", "43.00", "Damaged in transit");
      assertThat(page.locator(".plan-row")).hasCount(2);
      assertThat(page.getByRole(AriaRole.ALERT)).hasCount(0);
    }
  }

  @Test
  void thePagePollsIfItsStreamIsRefused(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      console.expecting("429");
      Page page = console.page();
      page.route(
          "**/v1/events/stream?*",
          route -> route.fulfill(new Route.FulfillOptions().setStatus(429).setBody("{}")));
      page.reload();
      page.waitForFunction("() => document.documentElement.dataset.live === 'poll'");
      desk.refund("1042", "42.00", "Damaged in transit");
      assertThat(page.locator(".plan-row")).containsText("Refund 42.00 of order 1042");
    }
  }

  @Test
  void aLockRefusesTheDecidingVoteWhichSucceedsLater(Given given) {
    Operator held = given.operator(BrowserDesk.twoGroups(Given.alert(Given.REFUND), "passkey"));
    Operator.Plan plan = held.propose(held.refund("a", "42.00"));
    Human.of(given, "Fin", "operate", "finance").sign(plan).is(202);
    Operator free = given.operator(Given.allow(Given.REFUND));
    String enrolment = BrowserDesk.enrolment(given, "Lea", "support-leads");
    try (BrowserPage lead = BrowserPage.enrolling(enrolment, Look.PHONE_DARK)) {
      lead.expecting("409");
      openPlan(lead, plan.id());
      Upstream.Gate gate = given.upstream().hold("/refunds");
      Running<Answer> holding = Together.start(() -> free.tryPropose(free.refund("a")));
      gate.awaitCall();
      lead.approveByKey();
      assertThat(lead.page().locator(".plan .note.bad")).containsText("entity_locked");
      lead.requireAccessible();
      JsonNode approval = given.api().get("/v1/plans/" + plan.id() + "/approval").is(200);
      assertThat(approval.path("votes")).hasSize(1);
      assertThat(plan.now().status()).isEqualTo("proposed");
      gate.open();
      holding.result().is(201);
      lead.approveByKey();
      assertApplied(lead.page());
      assertThat(applied(given, plan.id())).isEqualTo(1);
    }
  }

  private static String altered(String json, String was, String is) {
    assertThat(json).contains(was);
    return json.replace(was, is);
  }

  /** What an approver is shown of a plan, if one thing of it is not as it must be. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // The page itself cannot draw it, or a part of it, which draws by itself.
        "\"actions\":[ | \"actions\":null,\"x\":[",
        "\"verdict\":{ | \"verdict\":null,\"x\":{",
        "\"expires_at\":\" | \"expires_at\":\"soon\",\"x\":\"",
      })
  void aPlanThatCannotBeShownOffersNoDecision(String was, String is, Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    String path = "**/v1/plans/" + plan;
    try (BrowserPage lead = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      lead.expecting("TypeError", "RangeError");
      Page page = lead.page();
      openPlan(lead, plan);
      answerWith(page, path, altered(desk.plan(plan).toString(), was, is));
      // The same plan, now otherwise: what was shown of it before decides nothing any more.
      page.evaluate("() => window.dispatchEvent(new Event('changed'))");
      assertThat(page.locator(".plan h1")).hasText("This plan cannot be shown");
      assertThat(page.locator(".plan")).containsText(plan);
      assertOffersNothing(page);
      lead.requireAccessible();
      page.reload();
      assertThat(page.locator(".plan h1")).hasText("This plan cannot be shown");
      assertOffersNothing(page);
      page.unroute(path);
      page.reload();
      lead.settle();
      assertThat(page.locator(".bar .primary")).isEnabled();
      assertThat(desk.status(plan)).isEqualTo("proposed");
    }
  }

  @Test
  void aDialogAboutAPlanThatHasChangedDecidesNothing(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    try (BrowserPage lead = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = lead.page();
      openPlan(lead, plan);
      page.keyboard().press("a");
      assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
      String altered = altered(desk.plan(plan).toString(), "\"42.00\"", "\"43.00\"");
      answerWith(page, "**/v1/plans/" + plan, altered);
      page.evaluate("() => window.dispatchEvent(new Event('changed'))");
      assertThat(page.locator(".args")).containsText("43.00");
      page.keyboard().press("Enter");
      assertThat(page.locator(".told")).containsText("The plan has changed");
      assertThat(desk.status(plan)).isEqualTo("proposed");
    }
  }

  private static void answerWith(Page page, String path, String json) {
    page.route(
        path,
        route ->
            route.fulfill(
                new Route.FulfillOptions().setContentType("application/json").setBody(json)));
  }

  private static void assertOffersNothing(Page page) {
    page.waitForTimeout(LONGER_THAN_A_PLAN_SETTLES);
    for (String key : List.of("a", "v")) {
      page.keyboard().press(key);
    }
    assertThat(page.locator(".bar, dialog, [aria-label^=Amend]")).hasCount(0);
  }

  /** Whatever of it cannot be had: nobody decides on the rest. */
  @ParameterizedTest
  @ValueSource(strings = {"/v1/plans/*/approval", "/v1/operators/*/guardrails?*", "/v1/actions?*"})
  void aPlanWithAMissingPartOffersNoDecisionUntilItIsLoaded(String part, Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    try (BrowserPage lead = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      lead.expecting("429");
      Page page = lead.page();
      page.route(
          "**" + part,
          route -> route.fulfill(new Route.FulfillOptions().setStatus(429).setBody("{}")));
      lead.go("#/plans/" + plan);
      assertThat(page.locator(".plan")).containsText("it cannot be decided on yet");
      assertThat(page.locator(".plan h1")).containsText("Refund 42.00 of order 1042");
      assertOffersNothing(page);
      page.unroute("**" + part);
      assertThat(page.locator(".bar .primary")).isEnabled();
      assertThat(page.getByRole(AriaRole.ALERT)).hasCount(0);
    }
  }

  @Test
  void aBrowserThatWouldRoundNumbersShowsNoPlan(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan =
        desk.propose(
            desk.action(
                "sandbox.payment.refund",
                "{\"order\":\"7\",\"amount\":88.50,\"currency\":\"usd\"}"));
    try (BrowserPage lead = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      lead.page().addInitScript("delete JSON.rawJSON");
      lead.page().reload();
      lead.go("#/plans/" + plan);
      assertThat(lead.page().getByRole(AriaRole.ALERT).last()).containsText("Use a newer browser.");
      assertOffersNothing(lead.page());
    }
  }

  @Test
  void anApprovalWithoutASignatureSaysSo(Given given) {
    BrowserDesk desk = BrowserDesk.of(given).heldForTwo("passkey");
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    try (BrowserPage lead =
        BrowserPage.enrolling(desk.enrolment("Lea", "support-leads"), Look.PHONE_LIGHT)) {
      openPlan(lead, plan);
      Page page = lead.page();
      // As a browser that looks for a passkey which is on another device.
      page.evaluate(
          "() => { navigator.credentials.get = () => new Promise((_, refuse) => {"
              + " window.callOff = () => refuse(new DOMException('', 'NotAllowedError')); }); }");
      lead.approveByKey();
      assertThat(page.locator(".bar")).containsText("Your browser is asking for your passkey");
      page.evaluate("() => window.callOff()");
      assertThat(page.locator(".told")).containsText("Nothing was signed");
      assertThat(page.locator(".bar .primary")).isEnabled();
      assertThat(desk.status(plan)).isEqualTo("proposed");
    }
  }

  /** Each in a browser of their own, at the same moment. */
  @Test
  void twoConcurrentVotesBothCountAndThePlanRunsOnce(Given given) {
    BrowserDesk desk = BrowserDesk.of(given).heldForTwo("passkey");
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    try (BrowserPage lead =
            BrowserPage.enrolling(desk.enrolment("Lea", "support-leads"), Look.PHONE_LIGHT);
        BrowserPage payer =
            BrowserPage.enrolling(desk.enrolment("Fin", "finance"), Look.DESKTOP_LIGHT)) {
      List<BrowserPage> both = List.of(lead, payer);
      for (BrowserPage each : both) {
        // Whose vote meets the other's is told so, and votes again.
        each.expecting("409", "503");
        openPlan(each, plan);
        each.page().locator(".bar .primary").click();
        assertThat(each.page().getByRole(AriaRole.DIALOG)).isVisible();
      }
      Number at = (Number) lead.page().evaluate("() => Date.now() + 500");
      for (BrowserPage each : both) {
        each.page()
            .evaluate(
                "at => { setTimeout(() => document.querySelector('dialog .primary').click(), at -"
                    + " Date.now()); }",
                at);
      }
      for (BrowserPage each : both) {
        assertApplied(each.page());
        assertThat(each.page().locator(".story")).containsText("Lea");
        assertThat(each.page().locator(".story")).containsText("Fin");
      }
      assertThat(applied(given, plan)).isEqualTo(1);
    }
  }
}
