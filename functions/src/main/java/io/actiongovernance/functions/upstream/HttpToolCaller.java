package io.actiongovernance.functions.upstream;

import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.Redaction;
import java.time.Duration;
import java.time.InstantSource;

/** Calls tools over HTTP by their manifests (contract, section 5). Thread-safe. */
public final class HttpToolCaller implements ToolCaller {
  private final OutboundClient client;
  private final AuthorizedRequests requests;
  private final Retries retries;
  private final InstantSource clock;

  HttpToolCaller(
      OutboundClient client, AuthorizedRequests requests, Retries retries, InstantSource clock) {
    this.client = client;
    this.requests = requests;
    this.retries = retries;
    this.clock = clock;
  }

  @Override
  public CallResult call(ToolCall call) {
    return retries.run(
        call, requests.attempts(call, (credentials, within) -> attempt(call, credentials, within)));
  }

  private Attempt attempt(ToolCall call, Credentials credentials, Duration within) {
    try {
      Outbound request = RequestMaker.of(call, credentials).answeredWhole(call.answerKept());
      return Attempt.of(
          client.exchange(request, within, call.permit()::begins),
          call,
          new Redaction(credentials),
          clock.instant());
    } catch (RequestMaker.Barred e) {
      return new Attempt.Barred(e.reason());
    } catch (RequestMaker.Unmakeable e) {
      return new Attempt.Unmade("the request cannot be made: " + e.getMessage());
    }
  }
}
