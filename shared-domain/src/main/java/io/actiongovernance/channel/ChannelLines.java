package io.actiongovernance.channel;

import io.actiongovernance.channel.Channel.Line;
import io.actiongovernance.channel.ChannelSecret.Login;
import io.actiongovernance.json.Given;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.webhook.EndpointUrl;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks how a channel is reached: only over TLS, and only where the egress guard permits (contract
 * for people, section 5). Thread-safe.
 */
final class ChannelLines {
  /** The ports of mail servers: TLS from the first byte, or after STARTTLS. */
  private static final List<Integer> PORTS = List.of(465, 587);

  private static final int LAST_PORT = 65_535;

  private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  private static final Pattern HOST = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
  private static final int LONGEST_HOST = 253;
  private static final Pattern ADDRESS =
      Pattern.compile(
          "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?<host>.+)");
  private static final int LONGEST_ADDRESS = 254;
  private static final int LONGEST_LOCAL = 64;

  private final Function<URI, Optional<String>> egress;
  private final Predicate<String> named;

  /**
   * @param egress returns why a URL must not be connected to, as {@code must …}
   * @param named whether a host is an address that the deployment itself permits
   */
  ChannelLines(Function<URI, Optional<String>> egress, Predicate<String> named) {
    this.egress = egress;
    this.named = named;
  }

  /** A valid line and its secret. */
  record Judged(Line line, ChannelSecret secret) {}

  Outcome<Judged> ofNew(ChannelType type, WantedLine wanted) {
    return switch (type) {
      case SLACK ->
          missing("url", wanted.url())
              .<Outcome<Judged>>map(Outcome::refused)
              .orElseGet(() -> slack(wanted));
      case EMAIL ->
          Stream.of(
                  missing("host", wanted.host()),
                  missing("port", wanted.port()),
                  missing("from", wanted.from()),
                  missing("to", wanted.to()))
              .flatMap(Optional::stream)
              .findFirst()
              .<Outcome<Judged>>map(Outcome::refused)
              .orElseGet(() -> mail(wanted, new ChannelSecret.None()));
    };
  }

  /**
   * Checks the line of a changed channel.
   *
   * @param secret the channel's present secret, which is never sent to another mail server
   */
  Outcome<Judged> changed(Line line, ChannelSecret secret, WantedLine wanted) {
    if (line.type() == ChannelType.SLACK) {
      return wanted.url() == null ? unchanged(line, secret, wanted) : slack(wanted);
    }
    WantedLine whole =
        new WantedLine(
            wanted.url(),
            wanted.host() == null ? line.host() : wanted.host(),
            wanted.port() == null ? line.port() : wanted.port(),
            wanted.from() == null ? line.from() : wanted.from(),
            wanted.to() == null ? line.to() : wanted.to(),
            wanted.credentials());
    Outcome<Judged> judged = mail(whole, secret);
    return judged.then(
        after ->
            elsewhere(line, after.line())
                    && secret instanceof Login
                    && !wanted.credentials().isSaid()
                ? Outcome.refused(
                    new Refusal.Missing(
                        "credentials",
                        "credentials must be sent again, or be null, if host or port changes: the current ones are only for the current server."))
                : judged);
  }

  private static boolean elsewhere(Line before, Line after) {
    return !before.host().equals(after.host()) || !Objects.equals(before.port(), after.port());
  }

  private static Outcome<Judged> unchanged(Line line, ChannelSecret secret, WantedLine wanted) {
    return unfitForSlack(wanted)
        .<Outcome<Judged>>map(Outcome::refused)
        .orElseGet(() -> Outcome.done(new Judged(line, secret)));
  }

  private Outcome<Judged> slack(WantedLine wanted) {
    String url = String.valueOf(wanted.url());
    Optional<Refusal> problem = unfitForSlack(wanted).or(() -> EndpointUrl.problem(url, egress));
    if (problem.isPresent()) {
      return Outcome.refused(problem.get());
    }
    URI hook = URI.create(url);
    String host = hook.getRawAuthority().toLowerCase(Locale.ROOT);
    return Outcome.done(
        new Judged(
            new Line(ChannelType.SLACK, host, null, null, List.of()),
            new ChannelSecret.Hook(hook)));
  }

  private static Optional<Refusal> unfitForSlack(WantedLine wanted) {
    return Stream.of(
            beside("host", wanted.host(), ChannelType.EMAIL),
            beside("port", wanted.port(), ChannelType.EMAIL),
            beside("from", wanted.from(), ChannelType.EMAIL),
            beside("to", wanted.to(), ChannelType.EMAIL),
            beside("credentials", wanted.credentials().orNull(), ChannelType.EMAIL))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Outcome<Judged> mail(WantedLine wanted, ChannelSecret present) {
    String host = String.valueOf(wanted.host()).toLowerCase(Locale.ROOT);
    int port = Objects.requireNonNull(wanted.port());
    String from = String.valueOf(wanted.from());
    List<String> to = Objects.requireNonNull(wanted.to());
    Optional<Refusal> problem =
        beside("url", wanted.url(), ChannelType.SLACK)
            .or(() -> host(host))
            .or(() -> port(host, port))
            .or(() -> address("from", from))
            .or(() -> addresses(to));
    if (problem.isPresent()) {
      return Outcome.refused(problem.get());
    }
    ChannelSecret secret =
        switch (wanted.credentials()) {
          case Given.Absent<Login> _ -> present;
          case Given.Null<Login> _ -> new ChannelSecret.None();
          case Given.Value<Login>(Login login) -> login;
        };
    return Outcome.done(new Judged(new Line(ChannelType.EMAIL, host, port, from, to), secret));
  }

  private Optional<Refusal> host(String host) {
    if (!isHost(host)) {
      return invalid("host", "must be the name of a mail server, or its address");
    }
    return egress.apply(URI.create("https://" + host)).flatMap(must -> invalid("host", must));
  }

  private Optional<Refusal> port(String host, int port) {
    boolean usual = PORTS.contains(port);
    boolean possible = port > 0 && port <= LAST_PORT;
    return usual || (possible && named.test(host))
        ? Optional.empty()
        : invalid("port", "must be 465 or 587");
  }

  private static Optional<Refusal> addresses(List<String> to) {
    for (int at = 0; at < to.size(); at++) {
      Optional<Refusal> problem = address("to[" + at + "]", to.get(at));
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> address(String param, String text) {
    var matcher = ADDRESS.matcher(text);
    boolean fine =
        text.length() <= LONGEST_ADDRESS
            && matcher.matches()
            && text.indexOf('@') <= LONGEST_LOCAL
            && isHost(matcher.group("host"));
    return fine ? Optional.empty() : invalid(param, "must be an e-mail address, and nothing else");
  }

  private static boolean isHost(String text) {
    return text.length() <= LONGEST_HOST && HOST.matcher(text).matches();
  }

  private static Optional<Refusal> missing(String param, @Nullable Object value) {
    return value == null
        ? Optional.of(new Refusal.Missing(param, param + " is required."))
        : Optional.empty();
  }

  private static Optional<Refusal> beside(String param, @Nullable Object value, ChannelType type) {
    return value == null
        ? Optional.empty()
        : invalid(param, "is only for channels of type " + type.wire());
  }

  private static Optional<Refusal> invalid(String param, String what) {
    return Optional.of(new Refusal.Invalid(param, param + " " + what + "."));
  }
}
