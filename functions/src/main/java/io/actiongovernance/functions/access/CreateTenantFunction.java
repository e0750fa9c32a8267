package io.actiongovernance.functions.access;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Spread;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKey;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.NewKey;
import io.actiongovernance.key.Tenant;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.session.Tickets;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code create-tenant}: creates a tenant with its limits and allowance, and its first admin key of
 * each mode. The deployment's owner invokes it, never HTTP. It takes {@code
 * {"name","reseller_id","included_actions","hard_cap","limits":{"plans.write":600},"spread":1}};
 * only the name is required. It returns {@code {"tenant_id","keys":{"live","test"},"console_url"}};
 * the last is a single-use URL that signs a browser in.
 *
 * <p>Given {@code {"tenant_id","spread"}}, it raises the spread of that tenant. It returns both
 * fields with {@code since}, the time at which this takes effect; a repetition changes nothing. Bad
 * input throws {@link Problem}. Creating again creates another tenant. Thread-safe.
 */
public final class CreateTenantFunction
    implements RequestHandler<Map<String, Object>, Map<String, Object>> {
  /** Included actions a month, unless the input specifies another number. */
  private static final long INCLUDED_ACTIONS = 10_000;

  private final Tenants tenants;
  private final ApiKeys keys;
  private final Ids ids;
  private final Tickets tickets;
  private final URI baseUrl;

  public CreateTenantFunction(Wiring wiring) {
    this.tenants = wiring.tenants();
    this.keys = wiring.apiKeys();
    this.ids = wiring.ids();
    this.tickets = wiring.tickets();
    this.baseUrl = wiring.settings().baseUrl();
  }

  @Override
  public Map<String, Object> handleRequest(Map<String, Object> input, @Nullable Context context) {
    if (input.containsKey("tenant_id")) {
      return raised(new Fields((ObjectNode) Json.tree(input), "", true));
    }
    Fields fields = new Fields((ObjectNode) Json.tree(input), "", true);
    String name = fields.name("name", 1, 100);
    String reseller = fields.nameOrNull("reseller_id", 1, 100);
    Long included = fields.wholeOrNull("included_actions", 0, Allowance.MOST_ACTIONS);
    Long hardCap = fields.wholeOrNull("hard_cap", 0, Allowance.MOST_ACTIONS);
    TenantLimits limits = limits(fields.objectOrNull("limits"));
    Long spread = fields.wholeOrNull("spread", 1, Spread.MOST);
    fields.done();
    Allowance.Terms terms =
        new Allowance.Terms(
            included == null ? INCLUDED_ACTIONS : included,
            hardCap,
            spread == null ? Spread.ONE : Spread.of(powerOfTwo(spread)));
    Tenant tenant = tenants.create(name, reseller, limits, terms);
    ApiKeys.Issued live = firstKey(tenant, Mode.LIVE);
    return Map.of(
        "tenant_id",
        tenant.id().value(),
        "keys",
        Map.of("live", live.secret(), "test", firstKey(tenant, Mode.TEST).secret()),
        "console_url",
        consoleUrl(live.key()));
  }

  private String consoleUrl(ApiKey key) {
    Principal first = new Principal(Principal.Type.KEY, key.id().value(), key.name(), null);
    Tickets.Issued ticket =
        tickets.ofSetup(SessionId.next(ids), key.partition(), first, ids.next());
    return BaseUrl.at(baseUrl, Tickets.path(ticket)).toString();
  }

  private Map<String, Object> raised(Fields fields) {
    String text = fields.text("tenant_id", 1, 100);
    long shards = fields.whole("spread", 1, Spread.MOST);
    fields.done();
    TenantId id =
        TenantId.parse(text)
            .orElseThrow(
                () -> Problem.invalid("tenant_id", "tenant_id must be the id of a tenant."));
    Spread spread = tenants.raise(id, powerOfTwo(shards));
    return Map.of(
        "tenant_id", id.value(), "spread", spread.shards(), "since", spread.since().toString());
  }

  private static int powerOfTwo(long shards) {
    if (!Spread.isSpread(shards)) {
      throw Problem.invalid("spread", "spread must be a power of two up to " + Spread.MOST + ".");
    }
    return (int) shards;
  }

  private static TenantLimits limits(@Nullable ObjectNode given) {
    Map<String, Integer> limits = new TreeMap<>();
    if (given == null) {
      return TenantLimits.defaultsWith(limits);
    }
    Set<String> names = TenantLimits.defaultsWith(limits).perMinute().keySet();
    Fields fields = new Fields(given, "limits", true);
    for (String name : names) {
      Long limit = fields.wholeOrNull(name, 1, TenantLimits.MOST);
      if (limit != null) {
        limits.put(name, limit.intValue());
      }
    }
    fields.done();
    return TenantLimits.defaultsWith(limits);
  }

  private ApiKeys.Issued firstKey(Tenant tenant, Mode mode) {
    NewKey wanted = NewKey.of("first-" + mode.wire(), Role.ADMIN, mode);
    return switch (keys.create(tenant, KeyId.next(ids), wanted)) {
      case Done(ApiKeys.Issued issued) -> issued;
      case Refused(Refusal refusal) ->
          throw new IllegalStateException("The first key could not be created: " + refusal);
    };
  }
}
