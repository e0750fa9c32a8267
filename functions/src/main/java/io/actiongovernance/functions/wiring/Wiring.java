package io.actiongovernance.functions.wiring;

import io.actiongovernance.GovernedLoop;
import io.actiongovernance.access.DataKeys;
import io.actiongovernance.access.RateLimits;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.access.StreamSlots;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.Listings;
import io.actiongovernance.event.EventFeeds;
import io.actiongovernance.event.EventList;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.KmsKeyService;
import io.actiongovernance.functions.aws.S3ResultFiles;
import io.actiongovernance.functions.aws.SqsDispatcher;
import io.actiongovernance.functions.aws.SqsProposalQueue;
import io.actiongovernance.functions.aws.SqsQueues;
import io.actiongovernance.functions.aws.StepFunctionsTimers;
import io.actiongovernance.functions.egress.EgressGuard;
import io.actiongovernance.functions.egress.GuardedSockets;
import io.actiongovernance.functions.egress.HttpIssuerClient;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.TrustedRoots;
import io.actiongovernance.functions.model.ModelProposer;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.upstream.ConnectorWiring;
import io.actiongovernance.functions.webauthn.Webauthn;
import io.actiongovernance.id.Ids;
import io.actiongovernance.identity.AgentIssuers;
import io.actiongovernance.identity.AgentTokens;
import io.actiongovernance.identity.IdentityProviders;
import io.actiongovernance.identity.IssuerClient;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.kernel.PlanExpiry;
import io.actiongovernance.key.ApiKey;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorForms;
import io.actiongovernance.operator.OperatorRules;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.proposer.MissedEvents;
import io.actiongovernance.proposer.ModelBudget;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.RunDueOperators;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.result.Results;
import io.actiongovernance.session.SessionEnds;
import io.actiongovernance.session.Sessions;
import io.actiongovernance.session.Tickets;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Sleeper;
import io.actiongovernance.time.Timers;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The composition root. It creates the parts that handlers and triggers use, each once and by hand.
 * Parts that only one resource needs are created by that resource. Thread-safe.
 */
public final class Wiring {
  private final Base base;
  private final InstantSource clock;
  private final Ids ids;
  private final Store store;
  private final Sleeper sleeper = Sleeper.real();
  private final Transactions transactions;
  private final Sealer sealer;
  private final Tenants tenants;
  private final ApiKeys apiKeys;
  private final People people;
  private final Webauthn webauthn;
  private final Forms forms;
  private final Sessions sessions;
  private final EventLog eventLog;
  private final EventList eventList;
  private final EventFeeds eventFeeds;
  private final EgressGuard egressGuard;
  private final OutboundClient outbound;
  private final GuardedSockets guardedSockets;
  private final Connectors connectors;
  private final Operators operators;
  private final ConnectorWiring connectorWiring;
  private final SqsQueues queues;
  private final Dispatcher dispatcher;
  private final Timers timers;
  private final ProposalRequests proposalRequests;
  private final GovernedLoop loop;

  public record Base(
      Settings settings,
      Clients clients,
      InstantSource clock,
      Ids ids,
      Store store,
      Metrics metrics) {}

  /**
   * The forms in which receipts of configuration changes show an object: those of the API's
   * responses.
   *
   * @param operator takes the function that finds the time of an operator's newest plan
   */
  public record Forms(
      PublicForm<ApiKey> key,
      PublicForm<Person> person,
      PublicForm<Connector> connector,
      Function<Function<Operator, Optional<Instant>>, OperatorForms> operator) {}

  public Wiring(Base base, Forms forms) {
    this.base = base;
    this.clock = base.clock();
    this.ids = base.ids();
    this.store = base.store();
    Settings settings = base.settings();
    Clients clients = base.clients();
    this.sealer = new Sealer(settings.keys(), dataKeys(settings, clients), new SecureRandom());
    this.eventLog = new EventLog(store, clock, sleeper);
    this.eventList = new EventList(store, clock, sleeper);
    this.eventFeeds = new EventFeeds(store, clock, sleeper, eventList);
    this.transactions = new Transactions(store, sleeper, new SecureRandom());
    this.webauthn = new Webauthn(settings.baseUrl());
    this.tenants = new Tenants(store, transactions, ids, clock);
    this.apiKeys =
        new ApiKeys(store, transactions, tenants, clock, new SecureRandom(), forms.key());
    this.people = new People(store);
    this.forms = forms;
    this.sessions =
        new Sessions(
            store,
            new Sessions.Holders(apiKeys, tenants, people),
            settings.peopleTimes(),
            clock,
            new SecureRandom());
    Listings listings = Listings.load();
    this.connectors = new Connectors(store, listings);
    this.egressGuard = new EgressGuard(settings.egressAllow());
    this.operators =
        new Operators(
            store,
            transactions,
            clock,
            new OperatorRules(connectors::usable, egressGuard::problem),
            forms.operator().apply(this::lastPlanAt));
    SSLContext tls = TrustedRoots.tls(settings.egressCa());
    this.outbound = new OutboundClient(egressGuard, tls);
    this.guardedSockets = new GuardedSockets(egressGuard, tls);
    this.connectorWiring =
        new ConnectorWiring(
            new ConnectorWiring.Outside(egressGuard, outbound, settings.baseUrl()),
            new ConnectorWiring.Storage(store, transactions, sealer),
            new ConnectorWiring.Installed(
                listings,
                connectors,
                operators::neededByActiveOperator,
                sessions::isActive,
                forms.connector()),
            new ConnectorWiring.Machine(clock, sleeper, new SecureRandom()));
    this.queues = new SqsQueues(clients.sqs(), settings.prefix());
    this.dispatcher = new SqsDispatcher(queues, settings.actionQueues());
    this.timers =
        new StepFunctionsTimers(
            clients.stepFunctions(), settings.stateMachines(), settings.prefix());
    this.proposalRequests = new ProposalRequests(store, clock);
    GovernedLoop.Ports ports =
        new GovernedLoop.Ports(
            store,
            connectorWiring.toolCaller(),
            dispatcher,
            timers,
            ModelProposer.of(
                outbound,
                connectorWiring.accessTokens(),
                clock,
                sleeper,
                new SecureRandom(),
                new ModelBudget(store, clock, settings.modelCallsPerHour()),
                base.metrics()),
            new GovernedLoop.Approvers(people, apiKeys::origin, webauthn, settings.peopleTimes()),
            new GovernedLoop.Clockwork(
                clock, sleeper, ids, new SecureRandom(), Thread::startVirtualThread));
    this.loop =
        new GovernedLoop(
            ports,
            operators,
            connectors,
            eventLog,
            new Results(
                store,
                sealer,
                new S3ResultFiles(clients.s3(), settings.exportsBucket()),
                settings.resultLife(),
                clock),
            new AwaitPlan.Bounds(settings.waitSlots(), settings.waitsOfFunction()));
  }

  private @Nullable DataKeys dataKeys(Settings settings, Clients clients) {
    String key = settings.dataKey();
    return key == null
        ? null
        : new DataKeys(
            store, new KmsKeyService(clients.kms(), key), settings.sealsUnderDataKeys(), clock);
  }

  public Settings settings() {
    return base.settings();
  }

  public Forms forms() {
    return forms;
  }

  public Metrics metrics() {
    return base.metrics();
  }

  public Clients clients() {
    return base.clients();
  }

  public InstantSource clock() {
    return clock;
  }

  public Sleeper sleeper() {
    return sleeper;
  }

  public Ids ids() {
    return ids;
  }

  public Store store() {
    return store;
  }

  public Sealer sealer() {
    return sealer;
  }

  public Tenants tenants() {
    return tenants;
  }

  public ApiKeys apiKeys() {
    return apiKeys;
  }

  public People people() {
    return people;
  }

  public Sessions sessions() {
    return sessions;
  }

  public IssuerClient issuerClient() {
    return HttpIssuerClient.of(egressGuard, outbound, settings().devIssuer());
  }

  public Tickets tickets() {
    return new Tickets(store, transactions, sessions, people, clock, new SecureRandom());
  }

  public SessionEnds sessionEnds() {
    return new SessionEnds(store, settings().peopleTimes(), clock);
  }

  /** The issuers of agents' access tokens. */
  public AgentIssuers agentIssuers() {
    return new AgentIssuers(operators, new IdentityProviders(store));
  }

  /** Verifies agents' access tokens. */
  public AgentTokens agentTokens() {
    return new AgentTokens(
        new AgentTokens.Storage(
            agentIssuers(),
            new io.actiongovernance.identity.Issuers(store, issuerClient(), clock),
            people,
            tenants),
        clock);
  }

  public Webauthn webauthn() {
    return webauthn;
  }

  public RateLimits rateLimits() {
    return new RateLimits(store, clock);
  }

  public EventLog eventLog() {
    return eventLog;
  }

  public EventList eventList() {
    return eventList;
  }

  /** The feeds that streams read from. There is one instance, so that streams share their reads. */
  public EventFeeds eventFeeds() {
    return eventFeeds;
  }

  public StreamSlots streamSlots() {
    return new StreamSlots(store, clock);
  }

  public Operators operators() {
    return operators;
  }

  /** Time at which an operator's newest plan was proposed. */
  public Optional<Instant> lastPlanAt(Operator operator) {
    return loop.reading()
        .plans()
        .newestOf(operator.partition(), operator.id())
        .map(plan -> plan.terms().proposedAt());
  }

  /** Listings, connectors, their installation, and the port for tool calls. */
  public ConnectorWiring connectorWiring() {
    return connectorWiring;
  }

  /** Decides which addresses may be reached. */
  public EgressGuard egressGuard() {
    return egressGuard;
  }

  /** Sends requests to permitted addresses over HTTP. */
  public OutboundClient outbound() {
    return outbound;
  }

  /** Connects to permitted addresses for protocols other than HTTP. */
  public GuardedSockets guardedSockets() {
    return guardedSockets;
  }

  public Transactions transactions() {
    return transactions;
  }

  public SqsQueues queues() {
    return queues;
  }

  public Dispatcher dispatcher() {
    return dispatcher;
  }

  public Timers timers() {
    return timers;
  }

  public PlanExpiry planExpiry() {
    return loop.executing().planExpiry();
  }

  public ProposalRequests proposalRequests() {
    return proposalRequests;
  }

  public HandedOn handedOn() {
    return new HandedOn(store, clock, sleeper);
  }

  public RunDueOperators runDueOperators() {
    return new RunDueOperators(
        store,
        proposalRequests,
        new MissedEvents(store, handedOn(), new SqsProposalQueue(queues)),
        transactions,
        clock);
  }

  public GovernedLoop loop() {
    return loop;
  }
}
