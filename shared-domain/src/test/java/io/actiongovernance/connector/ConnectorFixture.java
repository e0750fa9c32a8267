package io.actiongovernance.connector;

import static io.actiongovernance.outcome.Outcomes.done;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's connectors over the store in memory, with a source system that answers tests as told.
 */
public final class ConnectorFixture {
  private static final Listings LISTINGS = Listings.load();

  public final TestTime time = new TestTime();
  public final Store store;
  public final Ids ids = new Ids(time, new SecureRandom());
  public final Sealer sealer = new Sealer(List.of(new byte[32]), new SecureRandom());
  public final Listings listings = LISTINGS;
  public final Connectors connectors;
  public final ConnectorHealth health;
  public final Transactions transactions;
  public final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);
  public final Set<String> needed = new HashSet<>();
  public final Set<String> endedKeys = new HashSet<>();
  public Finding finding = new Finding.Passed(Duration.ofMillis(3));
  public int probes;

  /** What the owner's browser shows of its authorisations. */
  public @Nullable String shown;

  /** What the token URL is asked, and what it answers. */
  public final List<Map<String, String>> grants = new CopyOnWriteArrayList<>();

  public volatile Function<Map<String, String>, TokenEndpoint.Answer> granting =
      grant -> new TokenEndpoint.Answer.Granted("access-1", "refresh-1", Duration.ofHours(1));

  public final Installations installations;
  public final Authorizations authorizations;
  public final AccessTokens tokens;

  public ConnectorFixture() {
    this(new InMemoryStore());
  }

  public ConnectorFixture(Store store) {
    this.store = store;
    this.connectors = new Connectors(store, listings);
    this.health = new ConnectorHealth(store, time);
    this.transactions = new Transactions(store, time, new Random(7));
    ConnectorWrites writes =
        new ConnectorWrites(
            store,
            transactions,
            listings,
            tenant -> Connectors.QUOTA,
            ConnectorFixture::form,
            time);
    ConnectorProbe probe =
        connector -> {
          probes++;
          return finding;
        };
    this.installations =
        new Installations(
            connectors,
            writes,
            new Installations.Ports(
                url ->
                    url.getHost().equals("inner.example")
                        ? Optional.of("must not be inner")
                        : Optional.empty(),
                probe,
                (where, capability) -> needed.contains(capability)),
            health,
            sealer,
            time);
    TokenEndpoint endpoint =
        (server, client, grant, within) -> {
          grants.add(grant);
          return granting.apply(grant);
        };
    this.authorizations =
        new Authorizations(
            connectors,
            writes,
            probe,
            health,
            new AuthorizationStates(
                store,
                (_, caller) -> !endedKeys.contains(caller.id()),
                sealer,
                time,
                new SecureRandom()),
            new CodeGrants(
                endpoint,
                sealer,
                time,
                URI.create("https://api.example/v1/oauth/authorize"),
                URI.create("https://api.example/v1/oauth/callback")));
    this.tokens = new AccessTokens(store, connectors, sealer, endpoint, time, time);
  }

  /** It is for the routes to say how connectors are answered. */
  private static ObjectNode form(Connector connector) {
    ObjectNode form = Json.object().put("name", connector.name());
    form.set("config", connector.config());
    form.set("tools", Json.tree(connector.tools().stream().map(Tool::name).toList()));
    return form.put("status", connector.status().wire());
  }

  /** All that is stored in memory. */
  public List<Item> everything() {
    return ((InMemoryStore) store).everything();
  }

  public Caller caller(@Nullable String workspaceId) {
    return caller(partition, workspaceId);
  }

  public Caller caller(Partition where, @Nullable String workspaceId) {
    return new Caller(
        RequestId.next(ids),
        where,
        null,
        KeyId.next(ids),
        "tests",
        Set.of(Scope.values()),
        workspaceId);
  }

  public ConnectorId newId() {
    return ConnectorId.next(ids);
  }

  public Outcome<Connector> install(String json) {
    return installations.install(caller(null), newId(), wanted(json));
  }

  public Connector installed(String json) {
    return done(install(json));
  }

  /** What the body of an install says. */
  public static NewConnector wanted(String json) {
    return wanted(body(json));
  }

  /** What the body of an install says. */
  static NewConnector wanted(Fields body) {
    NewConnector wanted =
        new NewConnector(
            body.text("listing_id", 1, 63),
            body.slug("name"),
            body.nameOrNull("workspace_id", 1, 100),
            config(body),
            credentials(body));
    body.done();
    return wanted;
  }

  /** What the body of a change says. */
  public static ConnectorChange change(String json) {
    Fields body = body(json);
    ConnectorChange change =
        new ConnectorChange(body.slugOrNull("name"), config(body), credentials(body));
    body.done();
    return change;
  }

  private static @Nullable UnreadConfig config(Fields body) {
    return body.has("config") ? UnreadConfig.read(body, "config") : null;
  }

  private static @Nullable Credentials credentials(Fields body) {
    Fields credentials = body.fieldsOrNull("credentials");
    return credentials == null ? null : Credentials.read(credentials);
  }

  /** The owner's browser comes back. */
  Outcome<Connector> complete(String state, @Nullable String code, @Nullable String error) {
    return complete(state, code, error, null);
  }

  Outcome<Connector> complete(
      String state, @Nullable String code, @Nullable String error, @Nullable String iss) {
    return authorizations.complete(
        new Authorizations.Back(state, code, error, iss, shown), RequestId.next(ids), ids.next());
  }

  /** Where the owner's browser is sent that opens the address of another authorisation. */
  URI opened(Connector connector) {
    URI address = authorizations.begin(caller(null), connector).orElseThrow();
    Authorizations.Opened opened = done(authorizations.open(inAddress(address), shown));
    shown = opened.shown();
    return opened.url();
  }

  static String inAddress(URI address) {
    return address.getRawQuery().replaceFirst("^state=", "");
  }

  /** The connector once its owner has authorised it. */
  public Connector authorized(Connector connector) {
    String query = opened(connector).getRawQuery();
    String state = query.replaceAll(".*&state=([^&]*).*", "$1");
    complete(state, "code-1", null);
    return again(connector);
  }

  /** The connector as it would be with more in its config; it is not kept. */
  public Connector withConfig(Connector connector, String more) {
    return new Connector(
        connector.id(),
        connector.partition(),
        connector.name(),
        connector.listing(),
        connector.workspaceId(),
        connector.status(),
        connector.statusReason(),
        connector.config().deepCopy().setAll(json(more)),
        connector.credentials(),
        connector.listed(),
        connector.tools(),
        connector.failing(),
        connector.version(),
        connector.createdAt(),
        connector.updatedAt(),
        connector.testedAt());
  }

  public Connector again(Connector connector) {
    return connectors.find(connector.partition(), connector.id()).orElseThrow();
  }

  /** A body written with single quotes. */
  public static Fields body(String json) {
    return new Fields(json(json), "", true);
  }

  public static ObjectNode json(String json) {
    return (ObjectNode) Json.read(json.replace('\'', '"'));
  }

  /** A {@code cn-http} install with one tool. */
  public static String http(String name, String baseUrl, String tool, String more) {
    return "{'listing_id':'cn-http','name':'%s','config':{'base_url':'%s','tools':[%s]}%s}"
        .formatted(name, baseUrl, tool, more);
  }

  public static final String PAY =
      """
      {'name':'pay.refund.create','capability':'pay.refund','tier':2,'input_schema':{'type':'object',
       'required':['charge'],'properties':{'charge':{'type':'string'},'amount':{'type':'string'},'note':{'type':'string'}}},
       'request':{'method':'POST','path':'/v1/charges/{{args.charge}}/refunds'},'reference':'/id'}""";
}
