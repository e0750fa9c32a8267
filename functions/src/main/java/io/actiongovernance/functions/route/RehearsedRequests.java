package io.actiongovernance.functions.route;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Requests that nobody made, for {@link Pipeline#rehearse}. */
final class RehearsedRequests {
  /** The body of an identifier that nothing has. */
  private static final String NOBODY = "0".repeat(26);

  /** Has the form of a secret, and is none that was ever issued. */
  private static final String NO_KEY = "sk_test_00000000000000000000000000000000127lYz";

  private static final Map<String, String> PREFIXES =
      Map.ofEntries(
          Map.entry("{action_id}", ActionId.PREFIX),
          Map.entry("{connector_id}", ConnectorId.PREFIX),
          Map.entry("{delivery_id}", DeliveryId.PREFIX),
          Map.entry("{endpoint_id}", EndpointId.PREFIX),
          Map.entry("{event_id}", EventId.PREFIX),
          Map.entry("{export_id}", ExportId.PREFIX),
          Map.entry("{halt_id}", HaltId.PREFIX),
          Map.entry("{key_id}", KeyId.PREFIX),
          Map.entry("{listing_id}", "cn-"),
          Map.entry("{operator_id}", OperatorId.PREFIX),
          Map.entry("{plan_id}", PlanId.PREFIX),
          Map.entry("{receipt_id}", ReceiptId.PREFIX));

  private RehearsedRequests() {}

  /** A request to the route for what is not there, or to no route. */
  static HttpRequest of(Optional<Route> route) {
    String path = route.map(Route::path).orElse("/v1/rehearsal");
    for (Map.Entry<String, String> prefix : PREFIXES.entrySet()) {
      path = path.replace(prefix.getKey(), prefix.getValue() + NOBODY);
    }
    boolean reads = route.map(known -> known.method().reads()).orElse(true);
    Map<String, String> headers = new HashMap<>();
    headers.put("Authorization", "Bearer " + NO_KEY);
    // Where a path names nothing that could be missing, a field that no body has is refused.
    String body = path.contains(NOBODY) ? "{}" : "{\"rehearsal\":true}";
    if (!reads) {
      headers.put("Content-Type", "application/json");
      headers.put("Idempotency-Key", "rehearsal");
    }
    return new HttpRequest(
        route.map(known -> known.method().name()).orElse("GET"),
        route.map(Route::path).orElse(null),
        path,
        headers,
        Map.of(),
        reads ? new byte[0] : body.getBytes(StandardCharsets.UTF_8),
        "rehearsal");
  }

  /** A caller with the scope of the route, of a tenant that there is none of. */
  static Caller caller(RequestId requestId, Route route) {
    EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
    if (route.scope() != null) {
      scopes.add(route.scope());
    }
    return new Caller(
        requestId,
        new Partition(new TenantId(TenantId.PREFIX + NOBODY), Mode.TEST),
        null,
        new KeyId(KeyId.PREFIX + NOBODY),
        "rehearsal",
        scopes,
        null);
  }
}
