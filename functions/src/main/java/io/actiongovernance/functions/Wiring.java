package io.actiongovernance.functions;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.GovernedLoop;
import io.actiongovernance.access.RateLimits;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.access.StreamSlots;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.Listings;
import io.actiongovernance.event.EventFeeds;
import io.actiongovernance.event.EventList;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.event.IngestEvent;
import io.actiongovernance.export.ExportFiles;
import io.actiongovernance.export.Exports;
import io.actiongovernance.export.RunExport;
import io.actiongovernance.functions.access.ApiKeyView;
import io.actiongovernance.functions.aws.AwsClients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.aws.IdempotencyRecords;
import io.actiongovernance.functions.aws.MasterKey;
import io.actiongovernance.functions.aws.S3ExportFiles;
import io.actiongovernance.functions.aws.SqsDeliveryQueue;
import io.actiongovernance.functions.aws.SqsDispatcher;
import io.actiongovernance.functions.aws.SqsQueues;
import io.actiongovernance.functions.aws.StepFunctionsTimers;
import io.actiongovernance.functions.connector.ConnectorView;
import io.actiongovernance.functions.egress.EgressGuard;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.TrustedRoots;
import io.actiongovernance.functions.event.EventCursors;
import io.actiongovernance.functions.model.ModelProposer;
import io.actiongovernance.functions.operator.OperatorViews;
import io.actiongovernance.functions.rehearsal.Rehearsal;
import io.actiongovernance.functions.route.Idempotency;
import io.actiongovernance.functions.route.PageCursors;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.upstream.ConnectorWiring;
import io.actiongovernance.functions.webhook.WebhookWiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.kernel.PlanExpiry;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.operator.OperatorForms;
import io.actiongovernance.operator.OperatorRules;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.operator.Schedules;
import io.actiongovernance.plan.ArchiveOperator;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.proposer.AnalyzeGuardrails;
import io.actiongovernance.proposer.EvaluateProposal;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.Repropose;
import io.actiongovernance.proposer.RunDueOperators;
import io.actiongovernance.proposer.Simulation;
import io.actiongovernance.proposer.UnboundFields;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Sleeper;
import io.actiongovernance.time.Timers;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;

/** The composition root: makes each thing once, by hand. Thread-safe. */
public final class Wiring {
  private final Settings settings;
  private final Metrics metrics;
  private final Clients clients;
  private final InstantSource clock;
  private final Ids ids;
  private final Store store;
  private final Transactions transactions;
  private final Sealer sealer;
  private final Tenants tenants;
  private final ApiKeys apiKeys;
  private final Idempotency idempotency;
  private final EventLog eventLog;
  private final EventList eventList;
  private final EventFeeds eventFeeds;
  private final Connectors connectors;
  private final Operators operators;
  private final ConnectorWiring connectorWiring;
  private final WebhookWiring webhooks;
  private final Dispatcher dispatcher;
  private final Timers timers;
  private final ProposalRequests proposalRequests;
  private final GovernedLoop loop;

  /** One whose metrics nobody takes. */
  public Wiring(Settings settings, Clients clients, InstantSource clock, Ids ids, Store store) {
    this(settings, clients, clock, ids, store, Metrics.none());
  }

  private Wiring(
      Settings settings,
      Clients clients,
      InstantSource clock,
      Ids ids,
      Store store,
      Metrics metrics) {
    this.settings = settings;
    this.metrics = metrics;
    this.clients = clients;
    this.clock = clock;
    this.ids = ids;
    this.store = store;
    this.sealer =
        new Sealer(
            settings.masterKeys().stream().map(Base64.getDecoder()::decode).toList(),
            new SecureRandom());
    Sleeper sleeper = Sleeper.real();
    this.eventLog = new EventLog(store, clock, sleeper);
    this.eventList = new EventList(store, clock, sleeper);
    this.eventFeeds = new EventFeeds(store, clock, sleeper, eventList);
    this.transactions = new Transactions(store, sleeper, new SecureRandom());
    this.tenants = new Tenants(store, transactions, ids, clock);
    this.apiKeys =
        new ApiKeys(store, transactions, tenants, clock, new SecureRandom(), ApiKeyView::form);
    this.idempotency =
        new Idempotency(
            new IdempotencyRecords(clients.dynamo(), settings.prefix()),
            sealer,
            ids,
            clock,
            sleeper);
    Listings listings = Listings.load();
    this.connectors = new Connectors(store, listings);
    EgressGuard egressGuard = new EgressGuard(settings.egressAllow());
    this.operators =
        new Operators(
            store,
            transactions,
            clock,
            new OperatorRules(connectors::usable, egressGuard::problem),
            new OperatorForms(
                operator -> operatorViews().form(operator), OperatorViews::guardrailsForm));
    OutboundClient outbound =
        new OutboundClient(egressGuard, TrustedRoots.tls(settings.egressCa()));
    this.connectorWiring =
        new ConnectorWiring(
            egressGuard,
            outbound,
            store,
            transactions,
            sealer,
            listings,
            connectors,
            operators::neededByActiveOperator,
            tenant -> Connectors.QUOTA,
            apiKeys::isActive,
            clock,
            sleeper,
            new SecureRandom(),
            URI.create(settings.baseUrl().toString().replaceAll("/+$", "") + Route.OAUTH_CALLBACK),
            connector -> (ObjectNode) Json.tree(ConnectorView.of(connector)));
    SqsQueues queues = new SqsQueues(clients.sqs(), settings.prefix());
    this.dispatcher = new SqsDispatcher(queues);
    this.timers =
        new StepFunctionsTimers(
            clients.stepFunctions(), settings.stateMachines(), settings.prefix());
    this.proposalRequests = new ProposalRequests(store, clock);
    this.loop =
        new GovernedLoop(
            new GovernedLoop.Ports(
                store,
                connectorWiring.toolCaller(),
                dispatcher,
                timers,
                ModelProposer.of(
                    outbound, connectorWiring.accessTokens(), clock, sleeper, new SecureRandom()),
                new GovernedLoop.Clockwork(clock, sleeper, ids, new SecureRandom())),
            operators,
            connectors,
            eventLog);
    this.webhooks =
        new WebhookWiring(
            settings,
            egressGuard,
            outbound,
            store,
            transactions,
            sealer,
            loop,
            connectors,
            new SqsDeliveryQueue(queues),
            timers,
            clock,
            new SecureRandom());
  }

  /** What a deployed function is made of. */
  public static Wiring onAws() {
    Rehearsal.beforeSnapshots();
    Settings settings = Settings.of(MasterKey.resolved(System.getenv()));
    Clients clients = AwsClients.create();
    InstantSource clock = InstantSource.system();
    Ids ids = new Ids(clock, new SecureRandom());
    return new Wiring(
        settings,
        clients,
        clock,
        ids,
        new DynamoStore(clients.dynamo(), settings.prefix()),
        Metrics.logged(settings.prefix(), clock));
  }

  public Settings settings() {
    return settings;
  }

  public Metrics metrics() {
    return metrics;
  }

  public Clients clients() {
    return clients;
  }

  public InstantSource clock() {
    return clock;
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

  public RateLimits rateLimits() {
    return new RateLimits(store, clock);
  }

  public PageCursors pageCursors() {
    return new PageCursors(sealer, clock);
  }

  public Idempotency idempotency() {
    return idempotency;
  }

  public EventLog eventLog() {
    return eventLog;
  }

  public EventList eventList() {
    return eventList;
  }

  /** What streams read from; the same for all of them, since they share what they read. */
  public EventFeeds eventFeeds() {
    return eventFeeds;
  }

  public StreamSlots streamSlots() {
    return new StreamSlots(store, clock);
  }

  public IngestEvent ingestEvent() {
    return new IngestEvent(eventLog, ids);
  }

  public EventCursors eventCursors() {
    return new EventCursors(pageCursors(), clock);
  }

  public Operators operators() {
    return operators;
  }

  public OperatorViews operatorViews() {
    return new OperatorViews(
        operator ->
            loop.plans()
                .newestOf(operator.partition(), operator.id())
                .map(plan -> plan.terms().proposedAt()));
  }

  public GuardrailsVersions guardrailsVersions() {
    return new GuardrailsVersions(store, operators);
  }

  public UnboundFields unboundFields() {
    return new UnboundFields(connectors::usable);
  }

  public Simulation simulation() {
    return new Simulation(
        operators,
        loop.actions(),
        connectors::usable,
        new EvaluateProposal(new Budgets(store, clock)));
  }

  public ArchiveOperator archiveOperator() {
    return new ArchiveOperator(operators, loop.expirePlan());
  }

  public Repropose repropose() {
    return new Repropose(operators, eventLog, proposalRequests);
  }

  public AnalyzeGuardrails analyzeGuardrails() {
    return new AnalyzeGuardrails(operators, connectors::usable);
  }

  /** Listings, connectors, their installation, and the port that tools are called through. */
  public ConnectorWiring connectorWiring() {
    return connectorWiring;
  }

  public Exports exports() {
    return new Exports(store, transactions, clock);
  }

  public ExportFiles exportFiles() {
    return new S3ExportFiles(clients.s3(), clients.presigner(), settings.exportsBucket());
  }

  public RunExport runExport() {
    return new RunExport(
        store, transactions, loop.listReceipts(), exportFiles(), clock, Sleeper.real());
  }

  /** Webhook endpoints and their deliveries. */
  public WebhookWiring webhooks() {
    return webhooks;
  }

  public Dispatcher dispatcher() {
    return dispatcher;
  }

  public Timers timers() {
    return timers;
  }

  public PlanExpiry planExpiry() {
    return loop.planExpiry();
  }

  public ProposalRequests proposalRequests() {
    return proposalRequests;
  }

  public RunDueOperators runDueOperators() {
    return new RunDueOperators(store, new Schedules(store), proposalRequests, transactions, clock);
  }

  /** Plans, actions, receipts, and the kernel. */
  public GovernedLoop loop() {
    return loop;
  }
}
