package io.actiongovernance.functions.trace;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.egress.EgressGuard;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.time.Sleeper;
import io.actiongovernance.trace.Span;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts spans to a collector, by the rules of OTLP over HTTP. A post that the collector may accept
 * later is repeated, and a refused one is not. The rejected part of an accepted post is dropped.
 * Thread-safe.
 */
public final class SpanCollector {
  private static final Logger LOG = LoggerFactory.getLogger(SpanCollector.class);

  /** Statuses with which a collector states that it may accept the post later. */
  private static final Set<Integer> LATER = Set.of(429, 502, 503, 504);

  /** The longest time for a single post. */
  private static final Duration EXCHANGE = Duration.ofSeconds(8);

  /** Time limit for all posts together. It is less than the function may run. */
  private static final Duration IN_ALL = Duration.ofSeconds(20);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The most bytes read of the collector's answer, which is only logged. */
  private static final int LONGEST_ANSWER = 16_384;

  private final OutboundClient client;
  private final URI url;
  private final String deployment;
  private final InstantSource clock;
  private final Sleeper sleeper;

  /**
   * @param endpoint the collector's address, without the path for traces
   * @param deployment the prefix of the deployment's names
   */
  public SpanCollector(
      OutboundClient client,
      URI endpoint,
      String deployment,
      InstantSource clock,
      Sleeper sleeper) {
    this.client = client;
    this.url = URI.create(endpoint + "/v1/traces");
    this.deployment = deployment;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /**
   * A client for the deployer's own collector. No tenant can set its address, so it may be an
   * internal one and use plain HTTP. The client for tenants' addresses keeps its restrictions.
   */
  public static OutboundClient client(SSLContext tls) {
    return new OutboundClient(new EgressGuard(List.of("0.0.0.0/0", "::/0")), tls);
  }

  private sealed interface Posted {
    record Done() implements Posted {}

    record Refused(String why) implements Posted {}

    record Later(String why, Duration pause) implements Posted {}
  }

  /** Reads only as much of an answer as is logged. */
  private static final class Start implements OutboundClient.Enough {
    @Override
    public boolean after(byte[] bytes, int count) {
      return false;
    }

    @Override
    public int longest() {
      return LONGEST_ANSWER;
    }
  }

  /** Posts spans; returns false if they must be posted again later. */
  public boolean take(List<Span> spans) {
    Outbound request = new Outbound("POST", url, Map.of(), OtlpJson.of(spans, deployment));
    Instant until = clock.instant().plus(IN_ALL);
    while (true) {
      switch (post(request, spans.size(), until)) {
        case Posted.Done _ -> {
          return true;
        }
        case Posted.Refused(String why) -> {
          LOG.error("The collector refused {} spans: {}", spans.size(), why);
          return true;
        }
        case Posted.Later(String why, Duration pause) -> {
          if (clock.instant().plus(pause).plus(PAUSE).isAfter(until)) {
            LOG.warn("The collector did not take {} spans yet: {}", spans.size(), why);
            return false;
          }
          sleeper.sleep(pause);
        }
      }
    }
  }

  private Posted post(Outbound request, int spans, Instant until) {
    Duration left = Duration.between(clock.instant(), until);
    Exchange exchange =
        client.exchange(
            request, left.compareTo(EXCHANGE) < 0 ? left : EXCHANGE, () -> true, new Start());
    return switch (exchange) {
      case Exchange.Answered answered -> judge(answered, spans);
      // The status means that the collector has the spans, whatever happens to the body of its
      // answer.
      case Exchange.Lost(String _, Exchange.Answered begun)
          when begun != null && begun.hasStatusOfSuccess() ->
          new Posted.Done();
      case Exchange.Lost(String why, _) -> new Posted.Later(why, PAUSE);
      case Exchange.NotSent(String why) -> new Posted.Later(why, PAUSE);
      case Exchange.Withheld(String why) -> new Posted.Later(why, PAUSE);
      case Exchange.Forbidden(String why) -> new Posted.Refused(why);
    };
  }

  private Posted judge(Exchange.Answered answered, int spans) {
    if (answered.hasStatusOfSuccess()) {
      partial(answered, spans);
      return new Posted.Done();
    }
    String why = "status " + answered.status();
    return LATER.contains(answered.status())
        ? new Posted.Later(why, answered.retryAfter(clock.instant()).orElse(PAUSE))
        : new Posted.Refused(why);
  }

  /** Logs the spans that an accepted post rejected; they must not be posted again. */
  private static void partial(Exchange.Answered answered, int spans) {
    JsonNode partial = answered.json().path("partialSuccess");
    long rejected = partial.path("rejectedSpans").asLong();
    if (rejected > 0) {
      LOG.error(
          "The collector rejected {} of {} spans: {}",
          rejected,
          spans,
          partial.path("errorMessage").asText());
    }
  }
}
