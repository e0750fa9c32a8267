package io.actiongovernance.functions.rehearsal;

import io.actiongovernance.functions.aws.AwsClients;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.day.GoodRequest;
import io.actiongovernance.functions.day.Recorded;
import io.actiongovernance.functions.day.SourceSystem;
import io.actiongovernance.functions.rehearsal.Rehearsal.Rehearsed;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.id.Ids;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A day of a tenant, kept for the examples of the published document: the same with every build,
 * since its clock and its identifiers are made up, its source system is called something else, and
 * no secret is shown.
 */
public final class Recording {
  private static final Instant MORNING = Instant.parse("2026-11-20T08:30:00.000Z");
  private static final int STEP_MILLIS = 13;
  private static final String SHOP = "https://shop.example";

  /** Digests of tools depend on it. */
  private static final int PORT = 47_611;

  /** Keys' and endpoints', and the last four characters by which they are told apart. */
  private static final Pattern SECRET =
      Pattern.compile("(\\bsk_(?:live|test)_|\\bwhsec_…?)([\\w+/-]+=?)");

  /** What else is drawn at random: cursors, and the state of authorisations. */
  private static final Pattern DRAWN =
      Pattern.compile("(\\bcur_|\\b(?:state|code_challenge|ticket)=|\"ticket\":\")([\\w-]+)");

  private static final String SHOWN = "shownOnceAndNeverAgain";
  private static final int HINT = 4;

  private Recording() {}

  /** What was asked and answered, by the names of the routes. */
  public static Map<String, Recorded> of(Rehearsed rehearsed) {
    AtomicInteger steps = new AtomicInteger();
    InstantSource clock = () -> MORNING.plusMillis((long) STEP_MILLIS * steps.incrementAndGet());
    Ids ids = new Ids(clock, new Random(0));
    Rehearsed settled =
        new Rehearsed(
            rehearsed.routes(),
            (settings, clients, _, _, store) ->
                rehearsed.parts().of(settings, clients, clock, ids, store));
    Map<String, Recorded> recorded = new LinkedHashMap<>();
    try (SourceSystem shop = new SourceSystem(PORT)) {
      RehearsedDay day =
          new RehearsedDay(
              new Stage(
                  Map.of("GOVERNANCE_PREFIX", "governance"),
                  AwsClients::over,
                  shop,
                  List.of(Trigger.EXECUTE_ACTION),
                  settled));
      for (Route route : rehearsed.routes()) {
        if (answersARecord(route)) {
          recorded.put(route.operation(), renamed(day.recorded(route), shop));
        }
      }
    }
    return recorded;
  }

  /** Not a stream, nor a page, whose example stands on their handlers, nor nothing at all. */
  private static boolean answersARecord(Route route) {
    Operation told = Objects.requireNonNull(route.handlerType().getAnnotation(Operation.class));
    return told.mediaType().isEmpty() && told.status() != Operation.FOUND;
  }

  private static Recorded renamed(Recorded recorded, SourceSystem shop) {
    GoodRequest request = recorded.request();
    String body = request.body();
    return new Recorded(
        new GoodRequest(
            request.route(),
            request.named(),
            request.query(),
            body == null ? null : renamed(body, shop),
            request.secret()),
        renamed(recorded.answer(), shop));
  }

  private static String renamed(String text, SourceSystem shop) {
    String named =
        text.replace(shop.url("http").toString(), SHOP).replace(shop.url("https").toString(), SHOP);
    String shown =
        SECRET
            .matcher(named)
            .replaceAll(
                found -> {
                  int from = found.group(2).length() > HINT ? 0 : SHOWN.length() - HINT;
                  return found.group(1) + SHOWN.substring(from);
                });
    return DRAWN
        .matcher(shown)
        .replaceAll(found -> found.group(1) + "x".repeat(found.group(2).length()));
  }
}
