package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import io.actiongovernance.localstack.listen.Listener;
import io.actiongovernance.time.Timestamps;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.SigningSecret;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "listen",
    description =
        "Forwards plan.* and action.* deliveries to a URL of your own, signed, until Ctrl-C.")
final class ListenCommand implements Callable<Integer> {
  @Option(
      names = "--forward-to",
      required = true,
      paramLabel = "URL",
      description = "The URL to post deliveries to, such as http://127.0.0.1:3000/hook.")
  private String forwardTo = "";

  @Option(
      names = "--types",
      split = ",",
      paramLabel = "TYPE",
      description = "Only these types, separated by commas.")
  private List<String> types = List.of();

  @Option(
      names = "--secret",
      paramLabel = "whsec_…",
      description = "Sign with this secret instead of a new one.")
  private @Nullable String secret;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Begin with what happened at this time (RFC 3339), instead of now.")
  private @Nullable String since;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    URI target =
        Connection.http(forwardTo)
            .orElseThrow(
                () -> Failure.wrongUse(forwardTo + " is not an http:// or https:// address."));
    Set<DeliveryType> wanted = wanted();
    SigningSecret signing = signing();
    Instant said = since == null ? null : instant(since);
    Api api = connection.api();
    Instant now = api.time();
    Listener.Options options =
        new Listener.Options(wanted, target, signing, said == null ? now : said);
    begin(options);
    new Listener(api, options, reports(), InstantSource.system()).listen();
    return ExitCode.DONE;
  }

  private Set<DeliveryType> wanted() throws Failure {
    if (types.isEmpty()) {
      return Listener.TYPES;
    }
    Set<DeliveryType> wanted = EnumSet.noneOf(DeliveryType.class);
    for (String name : types) {
      DeliveryType type =
          DeliveryType.parse(name)
              .orElseThrow(
                  () ->
                      Failure.wrongUse(
                          "There is no delivery type " + name + ". The types are " + all() + "."));
      if (!Listener.TYPES.contains(type)) {
        throw Failure.wrongUse(
            "listen does not deliver "
                + name
                + ", only "
                + names(Listener.TYPES)
                + ". Create a webhook endpoint for other types.");
      }
      wanted.add(type);
    }
    return wanted;
  }

  private SigningSecret signing() throws Failure {
    if (secret == null) {
      return SigningSecret.next(new SecureRandom());
    }
    try {
      Base64.getDecoder().decode(secret.substring(SigningSecret.PREFIX.length()));
      return new SigningSecret(secret);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw Failure.wrongUse("--secret must be " + SigningSecret.PREFIX + " followed by base64.");
    }
  }

  private static Instant instant(String text) throws Failure {
    return Timestamps.parse(text)
        .orElseThrow(
            () -> Failure.wrongUse("--since must be a time such as 2026-11-20T21:44:07Z."));
  }

  private void begin(Listener.Options options) {
    Set<DeliveryType> others = EnumSet.allOf(DeliveryType.class);
    others.removeAll(Listener.TYPES);
    ObjectNode begun =
        Json.object()
            .put("listening", true)
            .put("secret", options.secret().text())
            .put("since", Timestamps.format(options.since()));
    options.types().stream().sorted().forEach(type -> begun.withArray("types").add(type.wire()));
    others.forEach(type -> begun.withArray("not_delivered").add(type.wire()));
    output.say(
        begun,
        List.of(
            "Secret: " + options.secret().text(),
            "Forwarding %s to %s.".formatted(names(options.types()), options.target()),
            "Not delivered here: %s. Create a webhook endpoint for these.".formatted(names(others)),
            "Ctrl-C stops it."));
  }

  private Listener.Reports reports() {
    return new Listener.Reports() {
      @Override
      public void attempted(Listener.Attempt attempt) {
        output.say(object(attempt), line(attempt));
      }

      @Override
      public void say(String line) {
        output.tell(line);
      }
    };
  }

  private static ObjectNode object(Listener.Attempt attempt) {
    return Json.object()
        .put("id", attempt.told().id().value())
        .put("type", attempt.told().type().wire())
        .put("object_id", attempt.objectId())
        .put("attempt", attempt.attempt())
        .put("status", attempt.status() == 0 ? null : attempt.status())
        .put("ok", attempt.ok())
        .put("last", attempt.last());
  }

  private static String line(Listener.Attempt attempt) {
    String answered = attempt.status() == 0 ? "no answer" : Integer.toString(attempt.status());
    String end = attempt.ok() ? "" : attempt.last() ? "  given up" : "  again soon";
    return "%s  %s  %s  %s%s"
        .formatted(
            answered,
            attempt.told().type().wire(),
            attempt.objectId(),
            attempt.told().id().value(),
            end);
  }

  private static String all() {
    return names(Set.copyOf(Arrays.asList(DeliveryType.values())));
  }

  private static String names(Set<DeliveryType> types) {
    return types.stream().sorted().map(DeliveryType::wire).collect(Collectors.joining(", "));
  }
}
