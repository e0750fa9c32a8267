package io.actiongovernance.localstack.acceptance.console;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.fixture.Chromium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The console in a browser that shares nothing with another page's but the process. Closing it
 * requires that nothing went against its policy, and that no script failed. Not thread-safe.
 */
final class BrowserPage implements AutoCloseable {
  private static final Path SHOTS = Stack.PROJECT.resolve("docs/console");

  /** What it is looked at on. */
  enum Look {
    PHONE_LIGHT(390, 844, ColorScheme.LIGHT),
    PHONE_DARK(390, 844, ColorScheme.DARK),
    TABLET_LIGHT(820, 1180, ColorScheme.LIGHT),
    DESKTOP_LIGHT(1440, 900, ColorScheme.LIGHT),
    DESKTOP_DARK(1440, 900, ColorScheme.DARK);

    private final int width;
    private final int height;
    private final ColorScheme scheme;

    Look(int width, int height, ColorScheme scheme) {
      this.width = width;
      this.height = height;
      this.scheme = scheme;
    }
  }

  private static final String AUTHENTICATOR = "authenticatorId";

  /**
   * Counts in the page what it has asked for and not yet read. The count goes with the page: a
   * browser does not always tell the end of a request whose page is gone.
   */
  private static final String COUNT_REQUESTS =
      """
      window.unanswered = 0;
      const plain = window.fetch;
      window.fetch = async (...asked) => {
        window.unanswered++;
        try {
          const answer = await plain(...asked);
          await answer.clone().arrayBuffer();
          return answer;
        } finally {
          window.unanswered--;
        }
      };
      """;

  private final Page page;
  private final Look look;
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
  private final List<String> expected = new CopyOnWriteArrayList<>();
  private final AtomicInteger streams = new AtomicInteger();
  private final AtomicInteger endedStreams = new AtomicInteger();
  private @Nullable CDPSession authenticators;
  private @Nullable String device;
  private @Nullable String plugged;

  private BrowserPage(Page page, Look look) {
    this.page = page;
    this.look = look;
  }

  /** Opens it by a ticket, and so signed in as the key of this API. */
  static BrowserPage open(Api api, Look look) {
    return openAt(
        api.post("/v1/sign_in/tickets", Json.object()).is(201).path("url").asText(), look);
  }

  /** Opens the address of a ticket. */
  static BrowserPage openAt(String ticket, Look look) {
    BrowserPage opened = blank(look);
    opened.page.navigate(ticket);
    opened.page.waitForSelector("nav.places");
    return opened;
  }

  /**
   * Opens an address at which somebody enrols their first passkey, in a browser whose authenticator
   * verifies its user and asks nothing; enrols one, and signs in by it.
   */
  static BrowserPage enrolling(String url, Look look) {
    BrowserPage opened = welcoming(url, look);
    opened.enrol();
    return opened;
  }

  /** Opens such an address, and waits until it says who it is for. */
  static BrowserPage welcoming(String url, Look look) {
    return opened(url, look, "gov-enrol h1");
  }

  /** Opens an address before anybody is signed in, in such a browser. */
  static BrowserPage at(String url, Look look) {
    return opened(url, look, "gov-sign-in h2");
  }

  private static BrowserPage opened(String url, Look look, String awaited) {
    BrowserPage opened = blank(look);
    opened.verifyUsers();
    opened.page.navigate(url);
    opened.page.waitForSelector(awaited);
    return opened;
  }

  /** Makes the passkey that the page asks for, and signs in with it. */
  void enrol() {
    button("Create a passkey").click();
    button("Sign in").waitFor();
    requireAccessible();
    button("Sign in").click();
    page.waitForSelector("nav.places");
  }

  private void verifyUsers() {
    authenticators = page.context().newCDPSession(page);
    authenticators.send("WebAuthn.enable");
    device = authenticator("internal");
  }

  /**
   * Plugs in a key, which makes the next passkey; what is signed after it waits for {@link
   * #signOnceKeyHasMade}. Both at once would answer for each other.
   */
  void plugInKey() {
    page.evaluate(
        """
        () => {
          const get = navigator.credentials.get.bind(navigator.credentials);
          const unplugged = new Promise((then) => { window.unplugged = then; });
          navigator.credentials.get = async (asked) => { await unplugged; return get(asked); };
        }
        """);
    touched(false);
    plugged = authenticator("usb");
  }

  /** Unplugs the key once it has made a passkey; then the device signs. */
  void signOnceKeyHasMade() {
    JsonObject asked = new JsonObject();
    asked.addProperty(AUTHENTICATOR, plugged);
    page.waitForCondition(
        () ->
            !requireNonNull(authenticators)
                .send("WebAuthn.getCredentials", asked)
                .getAsJsonArray("credentials")
                .isEmpty());
    requireNonNull(authenticators).send("WebAuthn.removeVirtualAuthenticator", asked);
    touched(true);
    page.evaluate("() => window.unplugged()");
  }

  private void touched(boolean touched) {
    JsonObject asked = new JsonObject();
    asked.addProperty(AUTHENTICATOR, device);
    asked.addProperty("enabled", touched);
    requireNonNull(authenticators).send("WebAuthn.setAutomaticPresenceSimulation", asked);
  }

  private String authenticator(String transport) {
    JsonObject options = new JsonObject();
    options.addProperty("protocol", "ctap2");
    options.addProperty("transport", transport);
    for (String can :
        List.of(
            "hasResidentKey",
            "hasUserVerification",
            "isUserVerified",
            "automaticPresenceSimulation")) {
      options.addProperty(can, true);
    }
    JsonObject asked = new JsonObject();
    asked.add("options", options);
    return requireNonNull(authenticators)
        .send("WebAuthn.addVirtualAuthenticator", asked)
        .get(AUTHENTICATOR)
        .getAsString();
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static BrowserPage blank(Look look) {
    Chromium.require();
    BrowserContext context =
        BrowserProcess.running()
            .newContext(
                new Browser.NewContextOptions()
                    .setViewportSize(look.width, look.height)
                    .setColorScheme(look.scheme)
                    .setReducedMotion(ReducedMotion.REDUCE)
                    .setLocale("en-GB")
                    .setTimezoneId("UTC"));
    context.addInitScript(COUNT_REQUESTS);
    BrowserPage opened = new BrowserPage(context.newPage(), look);
    context.onRequest(opened::begins);
    context.onRequestFinished(opened::ends);
    context.onRequestFailed(opened::ends);
    opened.watch(opened.page);
    return opened;
  }

  private static boolean isStream(Request request) {
    return request.url().contains("/v1/events/stream");
  }

  private void begins(Request request) {
    if (isStream(request)) {
      streams.incrementAndGet();
    }
  }

  private void ends(Request request) {
    if (isStream(request)) {
      endedStreams.incrementAndGet();
    }
  }

  private void watch(Page of) {
    of.onPageError(error -> wrong.add("script: " + error));
    of.onConsoleMessage(
        message -> {
          String text = message.text() + " " + message.location();
          if (message.type().equals("error")
              && !asksWhoIsSignedIn(message)
              && expected.stream().noneMatch(text::contains)) {
            wrong.add(text);
          }
        });
  }

  /** What a browser says of it, if a request is refused or the network is gone, is no fault. */
  BrowserPage expecting(String... said) {
    expected.addAll(List.of(said));
    return this;
  }

  /** One more tab of the same browser, at the same address. */
  Page tab() {
    Page another = page.context().newPage();
    watch(another);
    another.navigate(page.url());
    return another;
  }

  /** Waits until a stream of events has ended. */
  void awaitCut() {
    page.waitForCondition(() -> endedStreams.get() > 0);
  }

  /** How many streams of events its tabs have asked for. */
  int streams() {
    return streams.get();
  }

  /** That nobody is yet, a page hears as 401, which a browser calls an error. */
  private static boolean asksWhoIsSignedIn(ConsoleMessage message) {
    return message.text().contains("401") && message.location().contains("/v1/me");
  }

  Page page() {
    return page;
  }

  void go(String hash) {
    page.evaluate("hash => { location.hash = hash; }", hash);
  }

  /** Goes to a screen, and waits until it is there, and whatever it asked for. */
  void open(String screen) {
    go("#/" + screen);
    page.waitForFunction("() => document.documentElement.dataset.at === location.hash");
    page.waitForSelector("main h1:visible");
    page.waitForFunction("() => window.unanswered === 0");
    settle();
  }

  /** Waits until what the page asked for is there, and until what it shows may be decided on. */
  void settle() {
    settle(page);
  }

  /** The same of one of its tabs. */
  static void settle(Page tab) {
    tab.waitForLoadState();
    tab.waitForFunction(
        "() => !document.querySelector('.loading, gov-plan:has(.bar):not([data-settled])')");
  }

  /** Approves the plan that is shown by the keyboard alone: by a key, and Enter to the question. */
  void approveByKey() {
    approveByKey(page);
  }

  /** The same in one of its tabs. */
  static void approveByKey(Page tab) {
    askToApprove(tab);
    tab.keyboard().press("Enter");
  }

  /** Presses the key that approves, once it does, and waits for the question that follows. */
  static void askToApprove(Page tab) {
    tab.waitForSelector(".bar .primary:enabled");
    tab.keyboard().press("a");
    tab.waitForSelector("dialog[open]");
  }

  /** Waits until the page hears of what happens. */
  void awaitLive() {
    page.waitForFunction("() => document.documentElement.dataset.live === 'stream'");
  }

  /** Whether there is something to the right of the screen. */
  boolean overflows() {
    return (Boolean)
        page.evaluate(
            "() => document.documentElement.scrollWidth > document.documentElement.clientWidth");
  }

  /** Requires that axe finds nothing. The mode spares it a page of its own; there are no frames. */
  BrowserPage requireAccessible() {
    List<String> found =
        new AxeBuilder(page)
            .setLegacyMode(true).analyze().getViolations().stream().map(BrowserPage::told).toList();
    assertThat(found).as(page.url()).isEmpty();
    return this;
  }

  private static String told(Rule rule) {
    return rule.getId()
        + ": "
        + rule.getNodes().stream().limit(3).map(node -> node.getHtml()).toList();
  }

  /** Keeps how it looks for the documentation, where that is asked for. */
  void shoot(String name) {
    if ("write".equals(System.getProperty("screenshots")) && look != Look.TABLET_LIGHT) {
      String file = name + "-" + look.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".png";
      page.screenshot(new Page.ScreenshotOptions().setPath(SHOTS.resolve(file)));
    }
  }

  @Override
  public void close() {
    page.unrouteAll(); // what the page still asks for while it closes is answered by nobody
    page.context().close();
    assertThat(wrong).isEmpty();
  }
}
