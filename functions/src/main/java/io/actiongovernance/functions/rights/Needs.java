package io.actiongovernance.functions.rights;

import static io.actiongovernance.functions.rights.Operation.DELETE;
import static io.actiongovernance.functions.rights.Operation.PUT;
import static io.actiongovernance.functions.rights.Operation.READ;
import static io.actiongovernance.functions.rights.Operation.UPDATE;
import static io.actiongovernance.functions.rights.Right.ASK_MODELS;
import static io.actiongovernance.functions.rights.Right.FIND_ENDPOINTS;
import static io.actiongovernance.functions.rights.Right.NOTE_KEY_USE;
import static io.actiongovernance.functions.rights.Right.PUBLISH;
import static io.actiongovernance.functions.rights.Right.READ_EXPORTS;
import static io.actiongovernance.functions.rights.Right.RECEIPT_CONFIG;
import static io.actiongovernance.functions.rights.Right.UNSEAL;
import static io.actiongovernance.functions.rights.Right.WRITE_EXPORTS;
import static io.actiongovernance.functions.rights.Rights.NONE;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sending;
import static io.actiongovernance.functions.rights.Rights.timing;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.store.Table.EVENTS;
import static io.actiongovernance.store.Table.IDEMPOTENCY;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.RECEIPTS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.time.TimerKind;

/**
 * What each route and each trigger needs to do its work, part by part as its use case is made of
 * parts. Deployment makes one role per function from it, and a test runs every function under
 * exactly these rights. A new route or trigger does not compile until it says here what it needs.
 */
public final class Needs {
  /** Making an operator, a connector, a key, or changing one: state of any kind. */
  private static final Rights MANAGE = on(STATE, READ, PUT, UPDATE, DELETE).and(to(RECEIPT_CONFIG));

  /** Recording that an overdue plan has expired, or was vetoed: each action gets its receipt. */
  private static final Rights CLOSE = on(STATE, READ, PUT, UPDATE).and(on(RECEIPTS, PUT));

  /**
   * Claiming a plan, its locks, limits and allowance, dispatching its actions, and disposing of
   * them.
   */
  private static final Rights RUN =
      CLOSE.and(on(LIMITS, READ, PUT, UPDATE, DELETE)).and(sending(Queue.ACTIONS, Queue.RESUME));

  /** The envelope log, whose readers too write: they close the holes of writers that died. */
  private static final Rights LOG = on(EVENTS, READ, PUT, UPDATE);

  /** Making a plan of an event or an agent's proposal, and setting it going if nothing is held. */
  private static final Rights PROPOSE = RUN.and(LOG);

  private Needs() {}

  /** What the function of a route needs, the request pipeline included. */
  public static Rights of(Route route) {
    Rights pipeline = to(UNSEAL).and(on(LIMITS, UPDATE));
    if (route.rateClass() != null) {
      pipeline = pipeline.and(reading(STATE)).and(to(NOTE_KEY_USE));
      if (route.method().takesIdempotencyKey()) {
        pipeline = pipeline.and(on(IDEMPOTENCY, READ, PUT, UPDATE, DELETE));
      }
    }
    return pipeline.and(handler(route));
  }

  /** What a request to no route needs: to be counted against its address. */
  public static Rights ofUnknownPaths() {
    return to(UNSEAL).and(on(LIMITS, UPDATE));
  }

  private static Rights handler(Route route) {
    return switch (route) {
      case LIST_REVISIONS,
          OPENAPI,
          DOCS,
          DOCS_VIEWER,
          DOCS_ERRORS,
          DOCS_CHANGELOG,
          LIST_LISTINGS,
          RETRIEVE_LISTING ->
          NONE;
      case LIST_KEYS, RETRIEVE_KEY -> reading(STATE);
      case CREATE_KEY, REVOKE_KEY -> MANAGE;
      case UPDATE_KEY -> on(STATE, READ, PUT, UPDATE).and(to(RECEIPT_CONFIG));
      case INGEST_EVENT, LIST_EVENTS -> LOG;
      // It looks after its key, and holds one of the tenant's slots.
      case STREAM_EVENTS -> LOG.and(reading(STATE)).and(on(LIMITS, READ, UPDATE));
      case RETRIEVE_EVENT -> reading(EVENTS);
      case LIST_OPERATORS,
          RETRIEVE_OPERATOR,
          RETRIEVE_GUARDRAILS,
          LIST_GUARDRAILS_VERSIONS,
          RETRIEVE_GUARDRAILS_VERSION,
          ANALYZE_GUARDRAILS ->
          reading(STATE);
      case SIMULATE_GUARDRAILS -> reading(STATE, LIMITS);
      case CREATE_OPERATOR,
          UPDATE_OPERATOR,
          PUBLISH_OPERATOR,
          PAUSE_OPERATOR,
          RESUME_OPERATOR,
          PUT_GUARDRAILS ->
          MANAGE;
      case ARCHIVE_OPERATOR -> MANAGE.and(CLOSE);
      case LIST_CONNECTORS, RETRIEVE_CONNECTOR -> reading(STATE);
      case AUTHORIZE_CONNECTOR -> on(STATE, READ, UPDATE);
      case INSTALL_CONNECTOR,
          UPDATE_CONNECTOR,
          UNINSTALL_CONNECTOR,
          TEST_CONNECTOR,
          COMPLETE_AUTHORIZATION ->
          MANAGE.and(on(LIMITS, READ, UPDATE, DELETE));
      case PROPOSE_PLAN -> PROPOSE;
      case REPROPOSE -> reading(EVENTS).and(on(STATE, READ, PUT));
      case LIST_PLANS, RETRIEVE_PLAN -> reading(STATE);
      case VETO_PLAN -> CLOSE;
      case RETRIEVE_PROPOSAL, RETRIEVE_APPROVAL -> reading(STATE);
      case APPROVE_PLAN, UNDO_ACTION -> RUN;
      // It is taken off the list of what waits to be resolved.
      case RESOLVE_ACTION -> CLOSE.and(on(STATE, DELETE)).and(on(LIMITS, READ, PUT, UPDATE));
      case LIST_ACTIONS, RETRIEVE_ACTION -> reading(STATE);
      case LIST_RECEIPTS, RETRIEVE_RECEIPT -> reading(RECEIPTS);
      // Who signs a link to a file must be permitted to read it. The same request to create, sent
      // again after its answer was lost, may find its job complete.
      case CREATE_EXPORT -> on(STATE, READ, PUT, UPDATE).and(to(READ_EXPORTS));
      case LIST_EXPORTS, RETRIEVE_EXPORT -> reading(STATE).and(to(READ_EXPORTS));
      case CREATE_HALT -> CLOSE;
      case LIFT_HALT -> CLOSE.and(sending(Queue.RESUME));
      case LIST_HALTS -> reading(STATE);
      case CREATE_WEBHOOK_ENDPOINT, UPDATE_WEBHOOK_ENDPOINT, DELETE_WEBHOOK_ENDPOINT ->
          MANAGE.and(on(LIMITS, READ, UPDATE, DELETE));
      case LIST_DELIVERIES, RETRIEVE_DELIVERY -> reading(STATE);
      case REDELIVER, TEST_WEBHOOK_ENDPOINT, RECOVER_WEBHOOK_ENDPOINT ->
          on(STATE, READ, PUT, UPDATE).and(reading(LIMITS)).and(sending(Queue.ATTEMPTS));
      case LIST_WEBHOOK_ENDPOINTS, RETRIEVE_WEBHOOK_ENDPOINT -> reading(STATE, LIMITS);
      case RETRIEVE_ALLOWANCE -> reading(LIMITS);
      case UPDATE_ALLOWANCE ->
          on(LIMITS, READ, PUT, UPDATE)
              .and(reading(STATE))
              .and(sending(Queue.RESUME))
              .and(to(RECEIPT_CONFIG));
    };
  }

  /** What the function of a trigger needs, beyond receiving from its source. */
  public static Rights of(Trigger trigger) {
    return switch (trigger) {
      case CREATE_TENANT ->
          to(UNSEAL).and(on(STATE, READ, PUT, UPDATE)).and(on(LIMITS, PUT)).and(to(RECEIPT_CONFIG));
      case RELAY_STATE, RELAY_EVENTS, RELAY_RECEIPTS -> to(PUBLISH, FIND_ENDPOINTS);
      case PROPOSE -> to(UNSEAL).and(PROPOSE).and(to(ASK_MODELS));
      case RUN_EXPORT ->
          to(UNSEAL).and(on(STATE, READ, UPDATE)).and(reading(RECEIPTS)).and(to(WRITE_EXPORTS));
      case EXECUTE_ACTION, GIVE_UP_ACTION, RESUME, EXPIRE_PLAN -> to(UNSEAL).and(RUN);
      // It forgets the entities that have settled.
      case SWEEP -> to(UNSEAL).and(RUN).and(on(STATE, DELETE)).and(timing(TimerKind.PLAN_EXPIRY));
      case RUN_DUE_OPERATORS -> to(UNSEAL).and(on(STATE, READ, PUT, UPDATE));
      case FOLLOW_PLANS -> to(UNSEAL).and(reading(STATE)).and(timing(TimerKind.PLAN_EXPIRY));
      case FAN_OUT ->
          to(UNSEAL)
              .and(on(STATE, READ, PUT))
              .and(reading(RECEIPTS, LIMITS))
              .and(sending(Queue.ATTEMPTS))
              .and(timing(TimerKind.WEBHOOK_RETRY));
      case DELIVER_WEBHOOK ->
          // It suspends endpoints, as the service does by itself: that leaves no receipt.
          to(UNSEAL)
              .and(on(STATE, READ, PUT, UPDATE, DELETE))
              .and(on(LIMITS, READ, UPDATE))
              .and(timing(TimerKind.WEBHOOK_RETRY));
      case RETRY_DELIVERY, SWEEP_DELIVERIES ->
          to(UNSEAL).and(on(STATE, READ, UPDATE)).and(reading(LIMITS)).and(sending(Queue.ATTEMPTS));
    };
  }

  /** Whether these are the rights of the kernel: to append to the ledger. */
  public static boolean appendsReceipts(Rights rights) {
    return rights.permit(PUT, RECEIPTS);
  }

  /** Whether the function may append what it changes of the configuration. */
  public static boolean receiptsConfig(Rights rights) {
    return rights.permit(RECEIPT_CONFIG);
  }
}
