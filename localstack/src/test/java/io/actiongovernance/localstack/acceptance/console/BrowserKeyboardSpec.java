package io.actiongovernance.localstack.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.actiongovernance.localstack.acceptance.console.BrowserPage.Look;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The console without a mouse (contract for people, section 4). */
@InBrowser
final class BrowserKeyboardSpec {
  /**
   * Marks all that can be used, and answers with how it is called. Of radio buttons the tabulator
   * reaches the one that is chosen, and arrows the others.
   */
  private static final String MARK =
      """
      () => [...document.querySelectorAll(
          'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]')]
        .filter((one) => one.checkVisibility({visibilityProperty: true}))
        .filter((one) => one.type !== 'radio' || one.checked)
        .map((one, at) => { one.dataset.mark = at; return (one.textContent || one.ariaLabel || one.id).trim().slice(0, 40); })\
      """;

  /** What the keyboard is at: its mark, and whether that can be seen. */
  private static final String AT =
      """
      () => { const one = document.activeElement; const style = getComputedStyle(one);
        return [one.dataset.mark ?? null, style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0]; }\
      """;

  /** Requires that the tabulator reaches all that can be used, and that one sees where one is. */
  private static void requireReached(Page page, String screen) {
    page.evaluate("() => { document.body.tabIndex = -1; document.body.focus(); }");
    List<?> all = (List<?>) page.evaluate(MARK);
    assertThat(all).as(screen).isNotEmpty();
    Set<String> reached = new HashSet<>();
    for (int pressed = 0; pressed < all.size() + 5 && reached.size() < all.size(); pressed++) {
      page.keyboard().press("Tab");
      List<?> at = (List<?>) page.evaluate(AT);
      if (at.get(0) != null) {
        reached.add(at.get(0).toString());
        assertThat(at.get(1)).as("%s: focus is seen at %s", screen, at.get(0)).isEqualTo(true);
      }
    }
    for (int at = 0; at < all.size(); at++) {
      assertThat(reached).as("%s: %s", screen, all.get(at)).contains(String.valueOf(at));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PHONE_LIGHT", "DESKTOP_LIGHT"})
  void everyControlIsReachedByKeyboard(Look look, Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String done = desk.refund("1040", "18.00", "Damaged in transit");
    given.api().post("/v1/plans/" + done + "/approve").is(200);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    desk.enrolment("Lea", "support-leads");
    try (BrowserPage console = BrowserPage.open(given.api(), look)) {
      for (Map.Entry<String, String> screen : BrowserScreens.all(desk, plan, done).entrySet()) {
        console.open(screen.getValue());
        requireReached(console.page(), screen.getKey());
      }
    }
    try (BrowserPage out = BrowserPage.at(given.api().baseUrl() + "/console", look)) {
      requireReached(out.page(), "sign-in");
    }
  }

  @Test
  void aDialogKeepsTheKeyboardFocusAndReturnsIt(Given given) {
    try (BrowserPage console = BrowserPage.open(given.api(), Look.DESKTOP_LIGHT)) {
      Page page = console.page();
      page.locator("button.halt").focus();
      page.keyboard().press("Enter");
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      assertThat(dialog).isVisible();
      for (int pressed = 0; pressed < 12; pressed++) {
        page.keyboard().press("Tab");
        assertThat(
                page.evaluate(
                    "() => document.activeElement === document.body ||"
                        + " !!document.activeElement.closest('dialog')"))
            .isEqualTo(true);
      }
      page.keyboard().press("Escape");
      assertThat(page.locator("dialog")).hasCount(0);
      assertThat(page.locator("button.halt")).isFocused();
    }
  }

  @Test
  void aPlanIsApprovedWithTabAndEnterOnly(Given given) {
    BrowserDesk desk = BrowserDesk.of(given);
    String plan = desk.refund("1042", "42.00", "Damaged in transit");
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = console.page();
      tabTo(page, "a.plan-row");
      page.keyboard().press("Enter");
      assertThat(page.locator(".bar")).isVisible();
      console.settle();
      tabTo(page, ".bar .primary");
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.DIALOG)).containsText("In total 42.00 USD");
      page.keyboard().press("Enter");
      assertThat(page.locator(".story")).containsText("Applied");
      assertThat(desk.status(plan)).isEqualTo("executed");
    }
  }

  private static void tabTo(Page page, String selector) {
    for (int pressed = 0; pressed < 60; pressed++) {
      page.keyboard().press("Tab");
      if (Boolean.TRUE.equals(
          page.evaluate("of => document.activeElement.matches(of)", selector))) {
        return;
      }
    }
    throw new AssertionError("The keyboard does not reach " + selector + ".");
  }
}
