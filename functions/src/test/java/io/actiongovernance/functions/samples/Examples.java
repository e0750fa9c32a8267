package io.actiongovernance.functions.samples;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.docs.Example;
import io.actiongovernance.functions.priming.Priming.Primed;
import io.actiongovernance.functions.priming.SourceSystem;
import io.actiongovernance.functions.route.Route;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The examples of the published document: the sample requests and their answers, the same with
 * every build. Their source system is called something else, and no secret is shown.
 */
final class Examples {
  private static final String SHOP = "https://shop.example";

  /** Keys' and endpoints', and the last four characters by which they are told apart. */
  private static final Pattern SECRET =
      Pattern.compile("(\\bsk_(?:live|test)_|\\bwhsec_…?)([\\w+/-]+=?)");

  /** What else is drawn at random: cursors, and the state of authorisations. */
  private static final Pattern DRAWN =
      Pattern.compile("(\\bcur_|\\b(?:state|code_challenge|ticket)=|\"ticket\":\")([\\w-]+)");

  private static final String SHOWN = "shownOnceAndNeverAgain";
  private static final int HINT = 4;

  private Examples() {}

  /** The examples by the names of the routes. */
  static Map<String, Example> of(Primed service) {
    Map<String, Example> examples = new LinkedHashMap<>();
    try (SampleService samples = new SampleService(service, Map.of())) {
      SampledTenant tenant = new SampledTenant(samples);
      for (Route route : service.routes()) {
        if (answersARecord(route)) {
          Sample sample = tenant.sample(route);
          String body = sample.request().body();
          examples.put(
              route.operation(),
              new Example(
                  sample.request().named(),
                  body == null ? null : renamed(body, samples.sourceSystem()),
                  renamed(sample.answer(), samples.sourceSystem())));
        }
      }
    }
    return examples;
  }

  /** Not a stream, nor a page, whose example stands on their handlers, nor nothing at all. */
  private static boolean answersARecord(Route route) {
    Operation told = Objects.requireNonNull(route.handlerType().getAnnotation(Operation.class));
    return told.mediaType().isEmpty() && told.status() != Operation.FOUND;
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
