package io.actiongovernance.localstack.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.console.BrowserPage.Look;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the console answers to who has pressed something, and where (contract for people, section
 * 4): in view, in words, in the way of nothing, and asking nothing that is of no use.
 */
@InBrowser
final class BrowserAnswersSpec {
  private static final String REFUND = "sandbox.payment.refund";

  private static boolean meet(BoundingBox one, BoundingBox other) {
    return one.x < other.x + other.width
        && other.x < one.x + one.width
        && one.y < other.y + other.height
        && other.y < one.y + one.height;
  }

  @ParameterizedTest
  @EnumSource(names = {"PHONE_LIGHT", "TABLET_LIGHT", "DESKTOP_LIGHT"})
  void theResultOfAPressIsInViewAndCoversNoButton(Look look, Given given) {
    BrowserDesk desk = BrowserDesk.of(given).heldForTwo("session");
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    String enrolment = desk.enrolment("Lea", "support-leads");
    try (BrowserPage lead = BrowserPage.enrolling(enrolment, look)) {
      Page page = lead.page();
      lead.go("#/plans/" + plan);
      Locator approve = page.locator(".bar .primary");
      assertThat(approve).isVisible();
      lead.settle();
      approve.click();
      page.locator("dialog .primary").click();
      Locator said = page.locator(".told .note");
      assertThat(said).hasText("Your vote is counted: Refund 42.00 of order 1042.");
      assertThat(page.locator("#votes")).isInViewport();
      assertThat(meet(said.boundingBox(), approve.boundingBox())).isFalse();
      assertThat(meet(said.boundingBox(), page.locator("#votes").boundingBox())).isFalse();
      Human.of(given, "Fin", "operate", "finance")
          .approve(new Operator.Plan(given.api(), desk.plan(plan)))
          .is(200);
      assertThat(page.locator(".story")).containsText("Applied");
      page.getByRole(AriaRole.BUTTON, named("Undo: Refund 42.00")).click();
      lead.button("Undo").last().click();
      assertThat(page.locator("#story")).isInViewport();
      lead.requireAccessible();
    }
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  @Test
  void actionsThatWillBeRefusedAreNotAskedTwice(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    Operator operator = desk.operator();
    operator.guardrails(Given.alert("sandbox.payment.refund"), Given.block("sandbox.deploy.run"));
    ObjectNode refund = action(operator, "sandbox.payment.refund", "refund-1");
    refund
        .putObject("args")
        .put("order", "1")
        .put("amount", "42.00")
        .put("currency", "usd")
        .put("note", "Late");
    ObjectNode deploy = action(operator, "sandbox.deploy.run", "deploy-1");
    deploy.putObject("args").put("service", "checkout").put("version", "2");
    JsonNode plan =
        operator
            .proposer()
            .post("/v1/operators/" + desk.id() + "/plans", Operator.proposal(refund, deploy))
            .is(201);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = console.page();
      console.go("#/plans/" + plan.path("id").asText());
      assertThat(page.locator(".bar")).isVisible();
      BrowserPage.askToApprove(page);
      Locator question = page.getByRole(AriaRole.DIALOG);
      assertThat(question).containsText("Approve this action?");
      assertThat(question).not().containsText("Deploy");
      page.keyboard().press("Enter");
      assertThat(page.locator(".story")).containsText("Applied");
      assertThat(page.locator(".story")).containsText("Skipped");
    }
  }

  /** The queue, the plan and the question tell all of the money, and none of what is blocked. */
  @Test
  void aPlansTotalIsShownForEachCurrency(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    desk.propose(
        desk.action(REFUND, "{\"order\":\"1\",\"amount\":\"1.00\",\"currency\":\"eur\"}"),
        desk.action(REFUND, "{\"order\":\"2\",\"amount\":\"499.00\",\"currency\":\"eur\"}"),
        desk.action(REFUND, "{\"order\":\"3\",\"amount\":\"7.00\",\"currency\":\"usd\"}"),
        desk.action("sandbox.record.update", "{\"record\":\"4\",\"fields\":{\"a\":1}}"));
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      assertThat(page.locator(".plan-row .value"))
          .hasText(Pattern.compile("500(\\.00)? EUR \\+ 7(\\.00)? USD"));
      assertThat(page.locator(".plan-row .summary")).hasText("Refund 1.00 of order 1 and 2 more");
      assertThat(page.locator(".plan h1")).hasText("Refund 499.00 of order 2 and 2 more");
      assertThat(page.locator(".facts .value")).hasText("500.00 EUR + 7.00 USD");
      BrowserPage.askToApprove(page);
      assertThat(page.getByRole(AriaRole.DIALOG)).containsText("500.00 EUR + 7.00 USD");
      console.requireAccessible();
    }
  }

  /** What whoever proposes writes as a currency says nothing in the page's own words. */
  @Test
  void aCurrencyThatIsNoCodeIsShownInQuotes(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    desk.operator().guardrails(Given.alert("sandbox.*.*"));
    ObjectNode record = desk.action("sandbox.record.update", "{\"record\":\"1\",\"fields\":{}}");
    String plan =
        desk.propose(
            record.put("value", "9000").put("currency", "cents (90.00 EUR)"),
            desk.action(REFUND, "{\"order\":\"2\",\"amount\":\"2.00\",\"currency\":\"EUR\"}"),
            desk.action(REFUND, "{\"order\":\"3\",\"amount\":\"3.00\",\"currency\":\"eur\"}"));
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("plans/" + plan);
      String total =
          "9000 \"cents (90.00 EUR)\" claimed by the proposer + 2.00 EUR (EUR) + 3.00 EUR (eur)";
      assertThat(page.locator(".facts .value")).hasText(total);
      BrowserPage.askToApprove(page);
      assertThat(page.getByRole(AriaRole.DIALOG)).containsText("In total " + total);
    }
  }

  /** The lock is kept for whoever comes again in time: the page does that for the person. */
  @Test
  void thePageRetriesAnApprovalThatMeetsALock(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String first =
        desk.propose(
            desk.action(REFUND, "{\"order\":\"5\",\"amount\":\"1.00\",\"delay_ms\":9000}"));
    String plan = desk.propose(desk.action(REFUND, "{\"order\":\"5\",\"amount\":\"2.00\"}"));
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("plans/" + plan);
      BrowserPage.askToApprove(page);
      Together.Running<Answer> other =
          Together.start(() -> given.api().post("/v1/plans/" + first + "/approve"));
      Await.until(
          Duration.ofSeconds(30),
          () -> desk.plan(first).path("waiting_on").asText(),
          waitsOn -> !waitsOn.equals("approval"));
      console.expecting("status of 409");
      page.keyboard().press("Enter");
      assertThat(page.locator(".bar .primary")).containsText("Another plan is using the same");
      Await.until(
          Duration.ofSeconds(40),
          () -> desk.plan(plan).path("status").asText(),
          status -> status.equals("executed"));
      other.result().is(200);
    }
  }

  /**
   * After a call that was never answered its entity rests for longer than anybody looks at a page.
   */
  @Test
  void thePageDoesNotWaitMoreThanAMinuteForAnEntity(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    given
        .api()
        .patch(
            "/v1/connectors/" + desk.operator().connector(),
            Json.read("{\"config\":{\"settle_seconds\":300}}"))
        .is(200);
    String lost =
        desk.propose(
            desk.action(REFUND, "{\"order\":\"6\",\"amount\":\"1.00\",\"simulate\":\"timeout\"}"));
    given.api().post("/v1/plans/" + lost + "/approve").is(200);
    String plan = desk.propose(desk.action(REFUND, "{\"order\":\"6\",\"amount\":\"2.00\"}"));
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.expecting("status of 409");
      console.open("plans/" + plan);
      BrowserPage.askToApprove(page);
      page.keyboard().press("Enter");
      assertThat(page.locator(".plan [role=alert]")).containsText("entity_locked");
      assertThat(page.locator(".bar .primary")).isEnabled();
    }
  }

  /** A source system may read an amount where the service does not. */
  @Test
  void aTotalMentionsActionsWithoutAValue(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    desk.operator().guardrails(Given.alert("sandbox.*.*"));
    String plan =
        desk.propose(
            desk.action(REFUND, "{\"order\":\"1\",\"amount\":\"1.00\",\"currency\":\"eur\"}"),
            desk.action("sandbox.record.update", "{\"record\":\"4\",\"fields\":{\"a\":1}}"));
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("plans/" + plan);
      assertThat(page.locator(".facts .value")).hasText("1.00 EUR and 1 without a value");
      BrowserPage.askToApprove(page);
      assertThat(page.getByRole(AriaRole.DIALOG)).containsText("1.00 EUR and 1 without a value");
    }
  }

  /** Nothing tells a page of other guardrails, nor at once of a halt: it looks before it sends. */
  @Test
  void anActionRefusedWhileTheQuestionWasOpenIsNotApproved(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("7", "9.50", "Twice");
    String other = desk.refund("8", "9.50", "Twice");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("plans/" + plan);
      BrowserPage.askToApprove(page);
      ObjectNode halt = Json.object().put("scope", "tenant").put("reason", "Looking into it.");
      String halted = given.api().post("/v1/halts", halt).is(201).path("id").asText();
      page.keyboard().press("Enter");
      assertThat(page.locator(".told")).containsText("A halt now covers this plan");
      assertThat(page.locator(".bar .primary")).isDisabled();
      given.api().post("/v1/halts/" + halted + "/lift", Json.object().put("reason", "x")).is(200);
      console.open("plans/" + other);
      BrowserPage.askToApprove(page);
      desk.operator().guardrails(Given.block(REFUND));
      page.keyboard().press("Enter");
      assertThat(page.locator("#refused")).hasText("Actions that will not run");
      assertThat(desk.status(plan)).isEqualTo("proposed");
      assertThat(desk.status(other)).isEqualTo("proposed");
    }
  }

  @Test
  void aPlanOfWhichNothingRanNamesTheRuleInsteadOfExecuted(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("7", "9.50", "Twice");
    ObjectNode never = Given.block(REFUND).put("name", "no-more-refunds");
    never.putObject("conditions").put("min_value", 5);
    desk.operator().guardrails(never);
    given.api().post("/v1/plans/" + plan + "/approve").isError(422, "policy_blocked");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("activity");
      assertThat(page.locator(".plan-row .pill").first()).hasText("Refused");
      assertThat(page.locator(".plan-row")).not().containsText("Executed");
      console.open("plans/" + plan);
      assertThat(page.locator(".plan-head .pill").first()).hasText("Refused");
      assertThat(page.locator(".story")).containsText("Refused by guardrail no-more-refunds");
      assertThat(page.locator(".story")).containsText("value ≥ 5");
      assertThat(page.locator(".story a[href='#/guardrails/" + desk.id() + "']")).isVisible();
      console.requireAccessible();
    }
  }

  @Test
  void aLimitThatDecidedIsShownWithItsUse(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    ObjectNode once = Given.allow(REFUND).put("name", "one-a-day");
    once.putArray("limits")
        .addObject()
        .put("per", "entity")
        .put("max_actions", 1)
        .put("window_seconds", 86_400);
    desk.operator().guardrails(once);
    desk.operator()
        .tryPropose(
            desk.action(REFUND, "{\"order\":\"7\",\"amount\":\"1.00\",\"currency\":\"usd\"}"))
        .is(201);
    String plan =
        desk.propose(
            desk.action(REFUND, "{\"order\":\"7\",\"amount\":\"2.00\",\"currency\":\"usd\"}"));
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      console.open("plans/" + plan);
      assertThat(console.page().locator(".why"))
          .containsText(
              Pattern.compile("at most 1 a day for order 7: 1 used since [0-9]{2}:[0-9]{2}"));
      console.requireAccessible();
    }
  }

  @Test
  void aGuardrailThatMatchesNoToolIsMarkedBeforeItIsSavedAndAfter(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("guardrails/" + desk.id());
      page.getByText("As JSON").click();
      page.locator("#draft")
          .fill(
              "[{\"name\":\"typo\",\"decision\":\"BLOCK\",\"tool\":\"sandbox.payment.refnd\"},"
                  + "{\"name\":\"right\",\"decision\":\"BLOCK\",\"tool\":\"sandbox.payment.refund\"}]");
      console.button("Preview the effect").click();
      Locator marked = page.locator(".grid tr").filter(matchingNoTool());
      assertThat(page.locator("#would ~ h3").getByText("that match no tool")).isVisible();
      assertThat(marked).hasCount(1);
      assertThat(marked).containsText("typo");
      console.requireAccessible();
      console.button("Save").click();
      page.getByRole(AriaRole.DIALOG).getByText("Save", exactly()).click();
      assertThat(page.getByText("Saved as version 2.")).isVisible();
      assertThat(marked).containsText("typo");
    }
  }

  private static Locator.FilterOptions matchingNoTool() {
    return new Locator.FilterOptions().setHasText("matches no tool");
  }

  private static Locator.GetByTextOptions exactly() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  private static ObjectNode action(Operator operator, String tool, String key) {
    return Json.object()
        .put("connector", operator.connector())
        .put("tool", tool)
        .put("idempotency_key", key);
  }

  @Test
  void aChainLeadsToItsHeldPlanAndAnEventToItsRefusals(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    String chain = desk.plan(plan).path("correlation_id").asText();
    JsonNode event = given.event("order.complained", Json.object().put("id", "7"));
    ObjectNode body = Operator.proposal(action(desk.operator(), "sandbox.none", "none-1"));
    body.put("event_id", event.path("id").asText());
    assertThat(
            desk.operator().proposer().post("/v1/operators/" + desk.id() + "/plans", body).status())
        .isEqualTo(400);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("plans/" + plan);
      page.getByRole(AriaRole.LINK, named(chain)).click();
      assertThat(page.locator("main h1").first()).hasText("Chain");
      assertThat(page.locator(".plan h1")).containsText("Refund 42.00 of order 1042");
      console.open("chains/" + chain);
      assertThat(page.locator(".plan h1")).containsText("Refund 42.00 of order 1042");
      console.open("events/" + event.path("id").asText());
      Locator refused = page.locator("section[aria-labelledby=others] li");
      assertThat(refused).containsText("Refused");
      refused.getByText("Proposal").click();
      assertThat(page.locator("main")).containsText("refused");
    }
  }

  @Test
  void agentsAreNamedOnceAndTheirTriggersDescribedInWords(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    given
        .api()
        .post(
            "/v1/operators",
            Json.read(
                """
                {"name":"nightly","triggers":{"event_types":["order.needs_care","stock.*"],
                 "schedule":"rate(15 minutes)"}}\
                """))
        .is(201);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("operators");
      Locator row =
          page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("nightly"));
      assertThat(row.getByText("nightly")).hasCount(1);
      assertThat(row).containsText("order needs care, any stock event");
      assertThat(row).containsText("every 15 minutes");
      console.open("operators/" + desk.id());
      assertThat(page.locator("main h1")).hasText("Refund desk");
      assertThat(page.locator(".args.open")).not().containsText("Refund desk");
    }
  }

  @Test
  void theSaveButtonOfChangedGuardrailsStaysOnTheScreen(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = console.page();
      console.open("guardrails/" + desk.id());
      assertThat(console.button("Save")).hasCount(0);
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      page.locator("button[aria-label^=Change]").first().click();
      page.getByLabel("Priority").fill("7x");
      console.button("Apply").click();
      assertThat(dialog).isVisible(); // where it was taken for none, the order of rules changed
      page.getByLabel("Priority").fill("7");
      console.button("Apply").click();
      assertThat(dialog).isHidden();
      page.getByText("As JSON").click();
      assertThat(page.locator("#draft")).hasValue(Pattern.compile("\"priority\": *7\\b"));
      page.locator("#draft").fill("[]");
      BoundingBox save = console.button("Save").boundingBox();
      assertThat(save.x + save.width).isLessThanOrEqualTo(390 - 15);
      assertThat(console.button("Save")).isInViewport();
      assertThat(console.button("Save")).isDisabled();
      console.button("Preview the effect").click();
      assertThat(page.locator("#would")).isInViewport();
      assertThat(console.button("Save")).isInViewport();
      assertThat(console.overflows()).isFalse();
      console.requireAccessible();
      console.button("Save").click();
      dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Save")).click();
      assertThat(page.getByText("Saved as version 2.")).isVisible();
    }
  }

  /** What is answered outside the console's own page has its style, and goes by its policy. */
  @Test
  void pagesOutsideTheConsoleHaveItsStyle(Given given) {
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_DARK)) {
      console.expecting("400", "404");
      Page page = console.page();
      Object surface = page.evaluate("() => getComputedStyle(document.body).backgroundColor");
      for (String path :
          new String[] {"/v1/sign_in/idp_01m80m2kz0f1q3v5x7y9a2c4e6", "/docs/errors"}) {
        page.navigate(given.api().baseUrl() + path);
        assertThat(page.locator("h1")).isVisible();
        assertThat(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
            .as(path)
            .isEqualTo(surface);
        assertThat(console.overflows()).as(path).isFalse();
        console.requireAccessible();
      }
    }
  }
}
