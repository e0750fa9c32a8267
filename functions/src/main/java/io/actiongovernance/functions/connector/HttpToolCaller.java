package io.actiongovernance.functions.connector;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import java.time.InstantSource;
import java.util.Optional;

/** Calls tools over HTTP, as their manifests say (contract, section 5). Thread-safe. */
public final class HttpToolCaller implements ToolCaller {
  private final OutboundClient client;
  private final Sealer sealer;
  private final Retries retries;
  private final InstantSource clock;

  HttpToolCaller(OutboundClient client, Sealer sealer, Retries retries, InstantSource clock) {
    this.client = client;
    this.sealer = sealer;
    this.retries = retries;
    this.clock = clock;
  }

  @Override
  public CallResult call(ToolCall call) {
    Optional<Credentials> credentials =
        Credentials.open(call.connector().credentials(), sealer, call.connector().id());
    if (credentials.isEmpty()) {
      return new CallResult.Failed("the connector's credentials cannot be opened");
    }
    try {
      Outbound request = RequestMaker.of(call, credentials.get());
      Redaction redaction = new Redaction(credentials.get());
      return retries.run(
          call,
          within -> Attempt.of(client.exchange(request, within), call, redaction, clock.instant()));
    } catch (RequestMaker.Unmakeable e) {
      return new CallResult.Failed("the request cannot be made: " + e.getMessage());
    }
  }
}
