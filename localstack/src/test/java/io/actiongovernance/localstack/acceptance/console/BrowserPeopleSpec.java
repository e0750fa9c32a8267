package io.actiongovernance.localstack.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.console.BrowserPage.Look;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What an admin does about people in the console (contract for people, sections 1, 2 and 4). */
@InBrowser
final class BrowserPeopleSpec {
  private static void press(Locator dialog, String name) {
    dialog
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true))
        .click();
  }

  private static Page.LocatorOptions named(String name) {
    return new Page.LocatorOptions().setHasText(name);
  }

  @Test
  void anAgentsKeyIsBoundToTheTickedOperators(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    try (BrowserPage admin = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = admin.page();
      admin.open("keys");
      admin.button("Create a key").click();
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      dialog.getByLabel("Name").fill("refund-agent");
      press(dialog, "Create");
      assertThat(dialog.getByRole(AriaRole.ALERT)).hasText("Select at least one.");
      admin.requireAccessible();
      dialog.getByLabel("Role").selectOption("read_only");
      assertThat(dialog.getByLabel("Refund desk")).hasCount(0);
      dialog.getByLabel("Role").selectOption("agent");
      dialog.getByLabel("Refund desk").check();
      press(dialog, "Create");
      assertThat(page.getByLabel("Shown once")).containsText("sk_live_");
      press(page.getByRole(AriaRole.DIALOG), "Done");
      assertThat(page.locator("main h1")).containsText("refund-agent");
    }
    JsonNode made =
        given.api().get("/v1/keys").data().stream()
            .filter(key -> key.path("name").asText().equals("refund-agent"))
            .findFirst()
            .orElseThrow();
    JsonNode key = given.api().get("/v1/keys/" + made.path("id").asText()).is(200);
    assertThat(key.path("operator_ids").toString()).isEqualTo("[\"" + desk.id() + "\"]");
    assertThat(key.path("role").asText()).isEqualTo("agent");
  }

  @Test
  void aPersonIsMadeEnrolsAndIsSuspended(Given given) {
    try (BrowserPage admin = BrowserPage.open(given.api(), Look.DESKTOP_DARK)) {
      Page page = admin.page();
      admin.open("people");
      assertThat(page.getByText("No people yet")).isVisible();
      admin.button("Add a person").click();
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      dialog.getByLabel("Name").fill("Dana Reyes");
      dialog.getByLabel("Groups").fill("support-leads, finance");
      admin.requireAccessible();
      press(dialog, "Add");
      String url = page.getByLabel("Shown once").textContent();
      admin.requireAccessible();
      press(dialog, "Done");
      assertThat(page.locator("main h1")).containsText("Dana Reyes");
      assertThat(page.locator("main")).containsText("finance");
      assertThat(page.locator("main .pill").first()).hasText("Invited");
      admin.open("people");
      assertThat(page.locator("tbody tr", named("Dana Reyes")).locator(".pill")).hasText("Invited");
      page.goBack();
      try (BrowserPage dana = BrowserPage.enrolling(url, Look.PHONE_DARK)) {
        dana.expecting("401");
        page.reload();
        assertThat(page.locator("main")).containsText("This device");
        assertThat(page.locator("main .pill").first()).hasText("Active");
        admin.button("Suspend").click();
        press(page.getByRole(AriaRole.DIALOG), "Suspend");
        assertThat(admin.button("Reactivate")).isVisible();
        admin.requireAccessible();
        dana.go("#/activity");
        assertThat(dana.page().locator("gov-sign-in h2")).isVisible();
      }
      admin.button("Reactivate").click();
      assertThat(admin.button("Suspend")).isVisible();
    }
    JsonNode person = given.api().get("/v1/people").data().get(0);
    assertThat(person.path("status").asText()).isEqualTo("active");
    assertThat(person.path("groups").toString()).isEqualTo("[\"support-leads\",\"finance\"]");
  }

  @Test
  void aPersonAddsAPasskeyWithTheirExistingOne(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String url = desk.enrolment("Dana Reyes", "finance");
    try (BrowserPage dana = BrowserPage.welcoming(url, Look.DESKTOP_LIGHT)) {
      Page page = dana.page();
      dana.button("Create a passkey").click();
      dana.button("Sign in").waitFor();
      // Whoever loads the page again has the passkey all the same.
      page.reload();
      dana.button("Sign in").click();
      page.waitForSelector("nav.places");
      dana.go("#/activity");
      page.getByText("Add a passkey").first().click();
      dana.button("Create a passkey").click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("already has a passkey of yours");
      dana.requireAccessible();
      dana.plugInKey();
      page.getByLabel("Passkey name").fill("Key");
      dana.button("Create a passkey").click();
      dana.signOnceKeyHasMade();
      dana.button("Continue").click();
      page.waitForSelector("nav.places");
      assertThat(page).hasURL(Pattern.compile(".*#/activity"));
    }
    JsonNode passkeys = given.api().get("/v1/people").data().get(0).path("passkeys");
    assertThat(passkeys.findValuesAsText("name")).containsExactly("This device", "Key");
  }

  @Test
  void aRefusedFormKeepsItsInput(Given given) {
    assumeTrue(BrowserDesk.of(given).signIn().isPresent(), "No issuer of a local stack is here.");
    given
        .api()
        .post("/v1/people", Json.object().put("name", "Lee Park").put("subject", "dev-lee"))
        .is(201);
    try (BrowserPage admin = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      admin.expecting("409");
      Page page = admin.page();
      admin.open("people");
      admin.button("Add a person").click();
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      assertThat(dialog.locator("label").getByText("(optional)")).hasCount(1);
      dialog.getByLabel("Name").fill("Dana Reyes");
      dialog.getByLabel("Groups").fill("finance");
      press(dialog, "Add");
      assertThat(dialog.getByLabel("Subject at the identity provider")).isFocused();
      dialog.getByLabel("Subject at the identity provider").fill("dev-lee");
      press(dialog, "Add");
      assertThat(dialog.getByRole(AriaRole.ALERT)).containsText("state_conflict");
      assertThat(dialog.getByRole(AriaRole.ALERT)).isInViewport();
      assertThat(dialog.getByLabel("Name")).hasValue("Dana Reyes");
      assertThat(dialog.getByLabel("Groups")).hasValue("finance");
      admin.requireAccessible();
      dialog.getByLabel("Subject at the identity provider").fill("dev-dana");
      press(dialog, "Add");
      assertThat(page.locator("main h1")).containsText("Dana Reyes");
    }
  }

  @Test
  void theApproversOfATierAreShownInWords(Given given) {
    try (BrowserPage admin = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = admin.page();
      admin.open("approval_defaults");
      admin.button("Change tier 3").click();
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      dialog.getByLabel("Method").selectOption("passkey");
      dialog.getByLabel("Groups").fill("2 × finance, treasury\nsupport-leads");
      dialog.getByLabel("Time limit in hours").fill("4");
      admin.requireAccessible();
      press(dialog, "Change");
      assertThat(page.locator(".tier-says").first())
          .containsText(
              "2 of finance or treasury and 1 of support-leads, with a passkey signature");
      assertThat(page.locator(".tier-says").first()).containsText("within 4 h");
      JsonNode policy = given.api().get("/v1/approval_defaults").is(200).at("/tiers/3");
      assertThat(policy.at("/all_of").toString())
          .isEqualTo(
              "[{\"count\":2,\"groups\":[\"finance\",\"treasury\"]},{\"count\":1,\"groups\":[\"support-leads\"]}]");
      assertThat(policy.path("within_seconds").asInt()).isEqualTo(14_400);
      admin.button("Change tier 3").click();
      dialog.getByLabel("Method").selectOption("");
      press(dialog, "Change");
      assertThat(page.locator(".tier-says").first()).containsText("Anybody who may approve");
      assertThat(given.api().get("/v1/approval_defaults").is(200).at("/tiers/3").isNull()).isTrue();
    }
  }

  @Test
  void anAdminEndsAnotherPersonsSession(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    try (BrowserPage admin = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT);
        BrowserPage dana =
            BrowserPage.enrolling(desk.enrolment("Dana Reyes", "finance"), Look.PHONE_LIGHT)) {
      dana.expecting("401");
      admin.open("sessions");
      Locator ends = admin.button("End the session of Dana Reyes");
      // One that enrolled and then signed in is one.
      assertThat(ends).hasCount(1);
      ends.click();
      assertThat(ends).hasCount(0);
      dana.go("#/activity");
      assertThat(dana.page().locator("gov-sign-in h2")).isVisible();
      assertThat(admin.page().locator("main")).containsText("this browser");
    }
  }
}
