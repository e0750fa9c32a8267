package io.actiongovernance.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.Listings;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonFixture;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A tenant as it stands before a run: one connector, an operator whose plans are held and one whose
 * plans are not, and an allowance. Made once for many runs; immutable.
 */
final class Tenancy {
  /** For how long a source system takes a second call for the first. */
  static final long RETRY_SAFE_SECONDS = 60;

  /** How long a plan waits for its approval here. */
  static final long PLAN_TTL_SECONDS = 600;

  final Partition partition;
  final int spread;
  final Caller caller;

  /** Who calls tools: another key than the one that decides. */
  final Caller agent;

  final Connector connector;
  final Listings listings;
  final Operator held;
  final Operator free;

  /** Whose plans take two people, of two groups, and their undos too. */
  final Operator voted;

  /** Who may vote: of either group, of both, and of none. */
  final List<Person> people;

  final Instant madeAt;
  final @Nullable Long hardCap;
  final @Nullable Long limit;
  private final List<Item> items;

  private Tenancy(@Nullable Long hardCap, @Nullable Long limit, int spread) {
    InMemoryStore store = new InMemoryStore();
    ConnectorFixture fixture = new ConnectorFixture(store);
    this.hardCap = hardCap;
    this.limit = limit;
    this.partition = fixture.partition;
    this.caller = fixture.caller(null);
    this.agent = fixture.caller(null);
    this.listings = fixture.listings;
    this.madeAt = fixture.time.instant();
    String tools = String.join(",", CHARGE, UNCHARGE, NOTE, UNNOTE, DROP);
    this.connector =
        fixture.installed(ConnectorFixture.http("shop", "https://shop.example", tools, ""));
    Operators operators =
        new Operators(
            store,
            new Transactions(store, fixture.time, new SplittableRandom(1)),
            fixture.time,
            OperatorFixture.rules(fixture.connectors::usable),
            OperatorFixture.FORMS);
    this.held = operator(fixture, operators, "held", UNDO_AT_ONCE, "ALERT", "");
    this.voted =
        operator(
            fixture,
            operators,
            "voted",
            "",
            "ALERT",
            ",'approval':{'all_of':[{'groups':['leads']},{'groups':['finance']}]}");
    this.people =
        List.of(
            person(fixture, "Lea", "leads"),
            person(fixture, "Leo", "leads"),
            person(fixture, "Fin", "finance"),
            person(fixture, "Bo", "leads", "finance"),
            person(fixture, "Ola"));
    people.forEach(person -> PersonFixture.put(store, person));
    String limits =
        limit == null
            ? ""
            : ",'limits':[{'per':'operator','window_seconds':2592000,'max_actions':" + limit + "}]";
    this.free = operator(fixture, operators, "free", UNDO_AT_ONCE, "ALLOW", limits);
    this.spread = spread;
    store.write(Allowance.define(partition, new Allowance.Terms(100, hardCap, Spread.of(spread))));
    this.items = store.everything();
  }

  /**
   * @param hardCap the most actions a month, or null
   * @param limit the most actions of the operator whose plans are not held, or null
   * @param spread over how many items what is counted is spread
   */
  static Tenancy of(@Nullable Long hardCap, @Nullable Long limit, int spread) {
    return new Tenancy(hardCap, limit, spread);
  }

  /** A store in which the tenant stands. */
  InMemoryStore store() {
    InMemoryStore store = new InMemoryStore();
    items.forEach(item -> store.write(io.actiongovernance.store.Write.insert(item)));
    return store;
  }

  private Person person(ConnectorFixture fixture, String name, String... groups) {
    Instant before = madeAt.minus(Duration.ofDays(30));
    return PersonFixture.person(partition, PersonId.next(fixture.ids), name, before, groups);
  }

  private static Operator operator(
      ConnectorFixture fixture,
      Operators operators,
      String name,
      String undo,
      String decision,
      String limits) {
    String body =
        ("{'name':'%s','plan_ttl_seconds':%d,"
                + "'triggers':{'event_types':['order.%s'],'sources':[],'schedule':null},"
                + "'model':{'provider':'scripted','plans':[]},'keep_results':true,'guardrails':["
                + "{'name':'drop','decision':'BLOCK','tool':'shop.drop'},"
                + "%s{'name':'run','decision':'%s','tool':'shop.*'%s}]}")
            .formatted(name, PLAN_TTL_SECONDS, name, undo, decision, limits);
    Caller caller = fixture.caller(null);
    return OperatorFixture.done(
        OperatorFixture.create(operators, caller, OperatorId.next(fixture.ids), body));
  }

  static ObjectNode json(String text) {
    return (ObjectNode) Json.read(text.replace('\'', '"'));
  }

  private static final String UNDO_AT_ONCE =
      "{'name':'undo-charge','decision':'ALLOW','tool':'shop.uncharge'},"
          + "{'name':'undo-note','decision':'ALLOW','tool':'shop.unnote'},";

  private static String tool(String name, int tier, boolean retrySafe, String inverse) {
    String declared =
        inverse.isEmpty()
            ? ""
            : ",'inverse':{'tool':'shop."
                + inverse
                + "','args':{'order':'{{args.order}}','n':'{{args.n}}','ref':'{{result.id}}'}}";
    return ("{'name':'shop.%s','capability':'shop','tier':%d,'retry_safe':%b,'input_schema':{},"
            + "'retry_safe_seconds':%d,'binds':{'entity':'{{args.order}}'},"
            + "'request':{'method':'POST','path':'/%s'}%s}")
        .formatted(name, tier, retrySafe, RETRY_SAFE_SECONDS, name, declared);
  }

  private static final String CHARGE = tool("charge", 2, false, "uncharge");
  private static final String UNCHARGE = tool("uncharge", 2, false, "");
  private static final String NOTE = tool("note", 1, true, "unnote");
  private static final String UNNOTE = tool("unnote", 1, true, "");
  private static final String DROP = tool("drop", 3, false, "");
}
