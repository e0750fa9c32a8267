package io.actiongovernance.localstack.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions.HasCountOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import com.microsoft.playwright.options.AriaRole;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.console.BrowserPage.Look;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The console in a browser (contract for people, section 4). Each page is held against its policy:
 * one violation, or one error of a script, fails its test.
 */
@InBrowser
final class BrowserSpec {
  private static final String RECORD = "sandbox.record.update";
  private static final String REFUND = "sandbox.payment.refund";

  /** A halt is looked for every ten seconds. */
  private static final IsVisibleOptions WITHIN = new IsVisibleOptions().setTimeout(20_000);

  @Test
  void aHeldPlanAppearsByItselfAndIsApprovedByKeyboardOnly(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      assertThat(page.getByText("Nothing is waiting for approval")).isVisible();
      console.awaitLive();
      long proposed = System.nanoTime();
      String plan = desk.refund("1042", "42.00", "Damaged in transit");
      Locator row = page.locator(".plan-row");
      assertThat(row).containsText("Refund 42.00 of order 1042");
      // A bound that holds on a busy machine; what a quiet one does is a figure of its own.
      assertThat(System.nanoTime() - proposed).isLessThan(5_000_000_000L);
      assertThat(page).hasTitle("(1) Approvals · Action Governance");
      page.keyboard().press("j");
      assertThat(page.locator(".detail h1")).containsText("Refund 42.00 of order 1042");
      assertThat(page.locator(".why")).containsText("refund-needs-human");
      assertThat(page.locator(".why")).containsText("in this action: 42.00 USD");
      BrowserPage.askToApprove(page);
      Locator question = page.getByRole(AriaRole.DIALOG);
      assertThat(question).containsText("Refund 42.00 of order 1042");
      assertThat(question).containsText("In total 42.00 USD");
      page.keyboard().press("Enter");
      assertThat(page.locator(".story")).containsText("Applied");
      assertThat(page.getByText("Nothing is waiting for approval")).isVisible();
      assertThat(page.getByRole(AriaRole.BUTTON, named("Undo: Refund 42.00"))).isVisible();
      assertThat(desk.status(plan)).isEqualTo("executed");
    }
  }

  /** Contract for people, section 4: empty states are the next command, with the reader's ids. */
  @Test
  void anEmptyQueueShowsTheNextStepAndTicksTheDoneOnes(Given given) {
    Api api = given.api();
    try (BrowserPage console = BrowserPage.open(api, Look.PHONE_LIGHT)) {
      Page page = console.page();
      Locator steps = page.locator(".steps > li");
      Locator next = page.locator(".steps > [aria-current=step]");
      assertThat(steps).hasCount(3);
      assertThat(next).containsText("Install a connector");
      assertThat(page.getByLabel("Command")).containsText("\"listing_id\":\"cn-sandbox\"");
      console.requireAccessible();
      String sandbox =
          api.post(
                  "/v1/connectors",
                  Json.object().put("listing_id", "cn-sandbox").put("name", "sandbox"))
              .is(201)
              .path("id")
              .asText();
      page.reload();
      assertThat(next).containsText("Create an operator");
      assertThat(steps.first()).containsText("done");
      Operator desk =
          given.operatorOf(api, sandbox, Json.object(), Given.alert("sandbox.payment.refund"));
      page.reload();
      assertThat(next).containsText("Propose an action");
      assertThat(page.getByLabel("Command")).containsText("/v1/operators/" + desk.id() + "/plans");
      assertThat(page.getByLabel("Command")).containsText(sandbox);
      ObjectNode fields = Json.object();
      fields.putObject("triggers").putArray("event_types").add("parcel.*");
      ObjectNode model = fields.putObject("model").put("provider", "scripted");
      ObjectNode plan = model.putArray("plans").addObject().put("event_type", "parcel.complained");
      ObjectNode action = plan.put("reasoning", "Lost.").putArray("actions").addObject();
      action.put("connector", sandbox).put("tool", "sandbox.payment.refund");
      action.putObject("args").put("order", "{{payload.id}}").put("amount", "42.00");
      given.operatorOf(api, sandbox, fields, Given.alert("sandbox.payment.refund"));
      page.reload();
      assertThat(next).containsText("Send an event");
      assertThat(page.getByLabel("Command")).containsText("\"event_type\":\"parcel.complained\"");
      given.event("parcel.complained", Json.object().put("id", "1042"));
      assertThat(page.locator(".plan-row")).containsText("Refund 42.00 of order 1042");
      given
          .api()
          .post(
              "/v1/plans/"
                  + api.get("/v1/plans?status=proposed").data().getFirst().path("id").asText()
                  + "/veto",
              Json.object().put("reason", "Found."))
          .is(200);
      assertThat(page.getByText("Nothing is waiting for approval")).isVisible();
      assertThat(steps).hasCount(0);
    }
  }

  @Test
  void haltsHaveTheirOwnScreen(Given given) {
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      Locator halts = page.locator("nav.places a[href='#/halts']");
      halts.click();
      assertThat(page.locator("main h1")).hasText("Halts");
      assertThat(halts).hasAttribute("aria-current", "page");
    }
  }

  @Test
  void twoPeopleSignWithTheirPasskeysInTwoBrowsersAtOnce(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    desk.heldForTwo("passkey");
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    try (BrowserPage lead =
            BrowserPage.enrolling(desk.enrolment("Lea", "support-leads"), Look.PHONE_LIGHT);
        BrowserPage payer =
            BrowserPage.enrolling(desk.enrolment("Fin", "finance"), Look.DESKTOP_LIGHT)) {
      for (BrowserPage each : List.of(lead, payer)) {
        each.go("#/plans/" + plan);
        assertThat(each.page().getByText("Approvers")).isVisible();
        each.settle();
      }
      lead.requireAccessible();
      lead.approveByKey();
      assertThat(lead.page().getByText("Lea", new Page.GetByTextOptions().setExact(false)).last())
          .isVisible();
      assertThat(lead.page().getByRole(AriaRole.BUTTON, named("Withdraw vote"))).isVisible();
      assertThat(desk.status(plan)).isEqualTo("proposed");
      payer.approveByKey();
      assertThat(payer.page().locator(".story")).containsText("Applied");
      assertThat(desk.status(plan)).isEqualTo("executed");
      // Who voted, how and in which order, before what their votes decided.
      String[] told = {
        "Plan by", "Vote by person Lea", "Vote by person Fin", "Approval by person", "Applied"
      };
      assertThat(payer.page().locator(".story > li")).containsText(told);
      assertThat(payer.page().locator(".story > li").nth(1)).containsText("signed with a passkey");
    }
  }

  @Test
  void aPersonSignsInAtTheirIssuerAndMakesAPasskey(Given given) {
    BrowserDesk desk = BrowserDesk.of(given).heldForTwo("passkey");
    String plan = desk.refund("7", "900.00", "Twice");
    Optional<String> signIn = desk.signIn();
    assumeTrue(signIn.isPresent(), "No issuer of a local stack is here.");
    String console = given.api().baseUrl() + "/console";
    String there = signIn.get() + "#/plans/" + plan;
    try (BrowserPage browser = BrowserPage.at(there, Look.PHONE_LIGHT)) {
      Page page = browser.page();
      browser.requireAccessible();
      page.getByText("Sign in with your organisation").click();
      page.getByText("Dana Reyes").click();
      page.waitForSelector("nav.places");
      assertThat(page).hasURL(there);
      page.getByText("Create one").click();
      page.getByText("Dana Reyes").click();
      page.getByRole(AriaRole.BUTTON, named("Create a passkey")).click();
      browser.requireAccessible();
      page.getByRole(AriaRole.BUTTON, named("Continue")).click();
      assertThat(page).hasURL(there);
      page.locator(".bar").getByText("Approve").click();
      page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.BUTTON, withName("Approve")).click();
      assertThat(page.locator("main")).containsText("signed");
      page.getByRole(AriaRole.LINK, named("More")).click();
      page.getByRole(AriaRole.BUTTON, named("Sign out")).first().click();
      page.waitForSelector("gov-sign-in h2");
      page.navigate(console);
      assertThat(page.getByText("Sign in with your organisation"))
          .hasAttribute("href", Pattern.compile(".*/v1/sign_in/idp_[a-z0-9]+\\?.*"));
      page.getByRole(AriaRole.BUTTON, named("Sign in with a passkey")).click();
      page.waitForSelector("nav.places");
    }
    try (BrowserPage stranger = BrowserPage.at(console, Look.PHONE_LIGHT)) {
      assertThat(stranger.page().getByText("Sign in with your organisation")).hasCount(0);
    }
  }

  @Test
  void onePlansRequirementsAreNotShownForTheNext(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String two = desk.refund("7", "900.00", "Twice");
    String one = desk.refund("8", "9.50", "Broken");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("plans/" + two);
      assertThat(page.getByText("You cannot vote on this")).isVisible();
      List<Route> votes = new ArrayList<>();
      page.route("**/v1/plans/" + one + "/approval", votes::add);
      console.go("#/plans/" + one);
      assertThat(page.locator(".plan h1")).containsText("9.50");
      assertThat(page.getByText("You cannot vote on this")).hasCount(0);
      page.waitForCondition(() -> !votes.isEmpty());
      assertThat(page.locator(".bar")).hasCount(0);
      votes.forEach(Route::resume);
      assertThat(page.locator(".bar").getByText("Approve")).isVisible();
    }
  }

  @Test
  void aVetoAsksForAReasonAndRecordsIt(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("7", "9.50", "Twice");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_DARK)) {
      Page page = console.page();
      page.locator(".plan-row").click();
      assertThat(page.locator(".bar")).isVisible();
      console.settle();
      page.keyboard().press("v");
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      dialog.getByRole(AriaRole.BUTTON, withName("Veto")).click();
      assertThat(dialog).isVisible();
      assertThat(desk.status(plan)).isEqualTo("proposed");
      page.keyboard().type("Paid last week.");
      page.keyboard().press("Tab");
      page.keyboard().press("Tab");
      page.keyboard().press("Enter");
      assertThat(page.locator(".story")).containsText("Paid last week.");
      assertThat(given.api().get("/v1/plans/" + plan).json().path("veto_reason").asText())
          .isEqualTo("Paid last week.");
    }
  }

  @Test
  void anAmendmentProposesAPlanForAnotherPersonToDecide(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("11", "310.00", "Damaged in transit");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = console.page();
      console.go("#/plans/" + plan);
      page.getByRole(AriaRole.BUTTON, named("Amend: Refund 310.00")).click();
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      dialog.getByLabel("amount").fill("31.00");
      console.requireAccessible();
      dialog.getByRole(AriaRole.BUTTON, withName("Amend")).click();
      assertThat(page.locator("h1").last()).containsText("Refund 31.00 of order 11");
      assertThat(page.locator(".facts")).containsText("amended by");
      assertThat(page.locator(".lines:not(:has(li))")).hasCount(0);
      assertThat(desk.status(plan)).isEqualTo("vetoed");
    }
  }

  @Test
  void anIrreversiblePlanIsConfirmedTwice(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.deploy("checkout", "2");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      assertThat(page.locator(".bar")).isVisible();
      BrowserPage.askToApprove(page);
      assertThat(page.getByRole(AriaRole.DIALOG)).containsText("This cannot be undone");
      page.keyboard().press("Escape");
      assertThat(page.locator("dialog")).hasCount(0);
      assertThat(desk.status(plan)).isEqualTo("proposed");
      page.keyboard().press("a");
      page.getByRole(AriaRole.BUTTON, named("Approve anyway")).click();
      assertThat(page.locator(".story")).containsText("Applied");
    }
  }

  @Test
  void anUndoablePlanIsApprovedWithOnePress(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.record("paid");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      console.go("#/plans/" + plan);
      console.page().locator(".bar .primary").click();
      assertThat(console.page().locator(".story")).containsText("Applied");
    }
  }

  @Test
  void afterADecisionTheNextPlanIsShown(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    List<String> plans =
        Stream.of("1", "2", "3", "4").map(of -> desk.refund(of, "9.50", "x")).toList();
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("plans/" + plans.get(1));
      console.approveByKey();
      assertThat(page.locator(".told")).containsText("Done: Refund 9.50 of order 2.");
      assertIsAt(page, "3", 2);
      page.keyboard().press("k");
      assertIsAt(page, "1", 1);
      page.keyboard().press("j");
      assertIsAt(page, "3", 2);
      console.settle();
      // What somebody else decides leaves its place to the next, too.
      given.api().post("/v1/plans/" + plans.get(2) + "/approve").is(200);
      assertThat(page.locator(".plan-row")).hasCount(2);
      assertThat(page.locator(".story")).containsText("Applied");
      page.keyboard().press("j");
      assertIsAt(page, "4", 2);
      console.settle();
      console.approveByKey();
      assertIsAt(page, "1", 1);
    }
  }

  /** Requires that a plan is open, marked in the queue at its place, and has the keyboard. */
  private static void assertIsAt(Page page, String order, int place) {
    assertThat(page.locator(".detail h1")).containsText("of order " + order);
    Locator row = page.locator("li:nth-child(" + place + ") .plan-row[aria-current=true]");
    assertThat(row).containsText("of order " + order);
    assertThat(row).isFocused();
  }

  @Test
  void approvingAllLeavesOutActionsThatWouldBeRefused(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan =
        desk.propose(
            desk.action(RECORD, "{\"record\":\"7\",\"fields\":{\"state\":\"paid\"}}"),
            desk.action(REFUND, "{\"order\":\"7\",\"amount\":\"1.00\",\"currency\":\"usd\"}"),
            desk.action(REFUND, "{\"order\":\"8\",\"amount\":\"99.00\",\"currency\":\"usd\"}"));
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = console.page();
      console.open("plans/" + plan);
      assertThat(page.locator(".plan h1")).hasText("Refund 99.00 of order 8 and 1 more");
      assertThat(page.locator(".facts .value")).hasText("100.00 USD");
      Locator refused = page.locator("section[aria-labelledby=refused]");
      assertThat(refused).containsText("Replace the fields of record 7");
      assertThat(refused.locator("input")).hasCount(0);
      page.getByText("Approve all 2").click();
      assertThat(page.getByRole(AriaRole.DIALOG)).containsText("In total 100.00 USD");
      page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.BUTTON, withName("Approve")).click();
      assertThat(page.locator(".story")).containsText("Applied");
    }
    assertThat(given.api().get("/v1/receipts?plan_id=" + plan).data())
        .extracting(receipt -> receipt.path("outcome").asText())
        .containsExactlyInAnyOrder("applied", "applied", "skipped");
  }

  @Test
  void underAHaltNothingIsApprovedAndThePageSaysWhy(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("7", "9.50", "Twice");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      console.open("plans/" + plan);
      String halt = halt(given);
      Locator approve = page.locator(".bar .primary");
      Locator why = page.locator(".bar").getByText("a halt");
      assertThat(why).isVisible(WITHIN);
      assertThat(why).hasAttribute("href", "#/halts/" + halt);
      assertThat(approve).isDisabled();
      page.keyboard().press("a");
      assertThat(page.locator("dialog")).hasCount(0);
      console.requireAccessible();
      given.api().post("/v1/halts/" + halt + "/lift", Json.object().put("reason", "x")).is(200);
      assertThat(why).hasCount(0, new HasCountOptions().setTimeout(20_000));
      assertThat(approve).isEnabled();
      assertThat(desk.status(plan)).isEqualTo("proposed");

      // Its time stood still meanwhile: that alone makes it no other plan.
      approve.click();
      page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.BUTTON, withName("Approve")).click();
      assertThat(page.locator(".story")).containsText("Applied");
    }
  }

  private static String halt(Given given) {
    ObjectNode asked = Json.object().put("scope", "tenant").put("reason", "Looking into it.");
    return given.api().post("/v1/halts", asked).is(201).path("id").asText();
  }

  @Test
  void invisibleCharactersAndLongTextsAreShownWhole(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String turned = "pay\u200bpal \u202eevil\u202c \u05d0\u05d1\u200f e" + "\u0300".repeat(5);
    String plan = desk.refund("8", "9.50", turned);
    String other = desk.record("x".repeat(9_990) + "\u202ethe end");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = console.page();
      console.go("#/plans/" + plan);
      assertThat(page.locator(".args .unseen"))
          .hasText(new String[] {"[U+200B]", "[U+202E]", "[U+202C]", "[U+200F]", "[U+0300]"});
      assertThat(page.locator(".args bdi").allTextContents().toString())
          .doesNotContain("\u202e", "\u200b");
      console.go("#/plans/" + other);
      assertThat(page.locator(".args .long")).containsText("the end");
      assertThat(page.locator(".args")).containsText("9,998 characters");
      assertThat(console.overflows()).isFalse();
      console.requireAccessible();
    }
  }

  @Test
  void theKillSwitchHaltsAndLiftsWithAReason(Given given) {
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = console.page();
      page.locator("button.halt").click();
      page.getByLabel("Reason").fill("Refunds go to the wrong people.");
      page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.BUTTON, withName("Halt")).click();
      assertThat(page.locator(".halted")).containsText("Everything is halted");
      assertThat(given.api().get("/v1/halts?active=true").data()).hasSize(1);
      console.requireAccessible();
      page.locator(".halted button").click();
      page.getByLabel("Why is it safe to lift?").fill("The agent is mended.");
      page.getByRole(AriaRole.BUTTON, named("Lift")).last().click();
      assertThat(page.locator(".halted")).isHidden();
      assertThat(given.api().get("/v1/halts?active=true").data()).isEmpty();
    }
  }

  @Test
  void guardrailsThatPermitMoreAreSavedOnlyAfterConfirmation(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_DARK)) {
      Page page = console.page();
      console.go("#/guardrails/" + desk.id());
      page.getByText("As JSON").click();
      page.getByLabel("Guardrails", new Page.GetByLabelOptions().setExact(true))
          .last()
          .fill("[{\"name\":\"all\",\"decision\":\"ALLOW\",\"tool\":\"sandbox.*.*\"}]");
      Locator save = page.getByRole(AriaRole.BUTTON, named("Save"));
      assertThat(save).isDisabled();
      page.getByRole(AriaRole.BUTTON, named("Preview the effect")).click();
      assertThat(page.locator("#would")).isVisible();
      assertThat(save).isDisabled();
      page.getByLabel("I have reviewed the newly permitted actions.").check();
      save.click();
      page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.BUTTON, withName("Save")).click();
      assertThat(page.getByText("Saved as version 2.")).isVisible();
    }
    JsonNode saved = given.api().get("/v1/operators/" + desk.id() + "/guardrails").is(200);
    assertThat(saved.at("/guardrails/0/name").asText()).isEqualTo("all");
  }

  @Test
  void aPastedIdLeadsToItsPage(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("9", "19.00", "Late");
    JsonNode whole = given.api().get("/v1/plans/" + plan).is(200);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      for (String id :
          List.of(
              plan,
              whole.at("/actions/0/id").asText(),
              whole.path("correlation_id").asText(),
              desk.id(),
              desk.operator().connector())) {
        page.keyboard().press("/");
        page.keyboard().type(id);
        page.keyboard().press("Enter");
        page.waitForURL(Pattern.compile(Pattern.quote(id)));
        assertThat(page.locator("main h1").last()).isVisible();
        page.locator("main").focus();
      }
    }
  }

  /**
   * Every screen, on a phone and a desk, by day and by night; {@code docs/console-screens.md} shows
   * them.
   */
  @ParameterizedTest
  @EnumSource
  void everyScreenIsAccessible(Look look, Given given) {
    BrowserDesk desk = BrowserDesk.of(given).furnished();
    String done = desk.refund("1040", "18.00", "Damaged in transit");
    given.api().post("/v1/plans/" + done + "/approve").is(200);
    desk.refund("1041", "89.90", "Damaged in transit");
    String plan = desk.refund("1042", "42.00", "Damaged in transit, see the photographs");
    String votes = desk.refund("1051", "1240.00", "Cancelled by the airline, three tickets");
    Human payer = Human.of(given, "Lee Park", "operate", "finance");
    payer.sign(new Operator.Plan(given.api(), desk.plan(votes))).is(202);
    try (BrowserPage lead =
        BrowserPage.welcoming(desk.enrolment("Dana Reyes", "support-leads"), look)) {
      look(lead, "enrol");
      lead.enrol();
      lead.open("plans/" + votes);
      assertThat(lead.page().getByText("Approvers")).isVisible();
      look(lead, "votes");
    }
    String provider = desk.signIn().orElse(given.api().baseUrl() + "/console");
    try (BrowserPage nobody = BrowserPage.at(provider, look)) {
      look(nobody, "sign-in");
    }
    try (BrowserPage console = BrowserPage.open(given.api(), look)) {
      assertThat(console.page().locator(".plan-row")).hasCount(3);
      for (Map.Entry<String, String> screen : BrowserScreens.all(desk, plan, done).entrySet()) {
        console.open(screen.getValue());
        look(console, screen.getKey());
      }
      lookAtAQuestionAChangeAndTheEnd(console, desk);
    }
  }

  private static void lookAtAQuestionAChangeAndTheEnd(BrowserPage console, BrowserDesk desk) {
    Page page = console.page();
    console.open("people");
    console.button("Add a person").click();
    assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
    look(console, "question");
    page.keyboard().press("Escape");
    console.open("guardrails/" + desk.id());
    console.button("Add a guardrail").click();
    console.button("Preview the effect").click();
    assertThat(page.locator("#would")).isInViewport();
    look(console, "change");
    console.open("approvals");
    console.expecting("401");
    Api api = desk.given().api();
    for (JsonNode session : api.get("/v1/sessions").data()) {
      api.delete("/v1/sessions/" + session.path("id").asText()).is(200);
    }
    page.reload();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("The session has ended.");
    look(console, "ended");
  }

  private static void look(BrowserPage console, String name) {
    console.requireAccessible().shoot(name);
    assertThat(console.overflows()).as(name).isFalse();
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  private static Locator.GetByRoleOptions withName(String name) {
    return new Locator.GetByRoleOptions().setName(name);
  }
}
