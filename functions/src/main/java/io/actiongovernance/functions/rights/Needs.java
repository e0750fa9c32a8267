package io.actiongovernance.functions.rights;

import static io.actiongovernance.functions.rights.Right.CHARGE_ADDRESSES;
import static io.actiongovernance.functions.rights.Right.CHARGE_CALLERS;
import static io.actiongovernance.functions.rights.Right.KNOW_CALLERS;
import static io.actiongovernance.functions.rights.Right.NOTE_KEY_USE;
import static io.actiongovernance.functions.rights.Right.RECEIPT_CONFIG;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sealing;
import static io.actiongovernance.functions.rights.Rights.sending;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.DELETE;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.EFFECTS;
import static io.actiongovernance.store.Table.EVENTS;
import static io.actiongovernance.store.Table.IDEMPOTENCY;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.RECEIPTS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.queue.Queue;

/**
 * What use cases need to do their work, part by part as they are made of parts; each route and each
 * trigger says which. Deployment makes one role per function from it, and a test runs every
 * function under exactly these rights.
 */
public final class Needs {
  /** Making an operator, a connector, a key, or changing one: state of any kind. */
  public static final Rights MANAGE = on(STATE, READ, PUT, UPDATE, DELETE).and(to(RECEIPT_CONFIG));

  /** Recording that an overdue plan has expired, or was vetoed: each action gets its receipt. */
  public static final Rights CLOSE = on(STATE, READ, PUT, UPDATE).and(on(RECEIPTS, PUT));

  /**
   * Claiming a plan, its locks, limits and allowance, dispatching its actions, and disposing of
   * them.
   */
  public static final Rights RUN =
      CLOSE
          .and(on(EFFECTS, READ, PUT, UPDATE))
          .and(on(LIMITS, READ, PUT, UPDATE, DELETE))
          .and(sending(Queue.ACTIONS, Queue.RESUME));

  /** Voting, or taking a vote back: what was changed lately is read, and a challenge used up. */
  public static final Rights VOTE = on(STATE, DELETE).and(reading(RECEIPTS));

  /** The envelope log, whose readers too write: they close the holes of writers that died. */
  public static final Rights LOG = on(EVENTS, READ, PUT, UPDATE);

  /** Making a plan of an event or an agent's proposal, and setting it going if nothing is held. */
  public static final Rights PROPOSE = RUN.and(LOG);

  /** LockTransfer out positions and taking them back: what a page ends with is sealed. */
  public static final Rights CURSORS = sealing(Purpose.CURSOR);

  /** Waiting for what comes of something: in a slot, which is taken and given back. */
  public static final Rights WAIT = on(LIMITS, READ, UPDATE, DELETE);

  private Needs() {}

  /**
   * What the pipeline of requests needs.
   *
   * @param known whether callers show who they are
   * @param idempotent whether an Idempotency-Key is taken
   */
  public static Rights ofRequests(boolean known, boolean idempotent) {
    Rights pipeline = ofUnknownPaths();
    if (known) {
      pipeline = pipeline.and(to(KNOW_CALLERS, NOTE_KEY_USE, CHARGE_CALLERS));
    }
    // Answers that are stored are sealed.
    return idempotent
        ? pipeline.and(on(IDEMPOTENCY, READ, PUT, UPDATE, DELETE)).and(sealing(Purpose.ANSWER))
        : pipeline;
  }

  /** What a request to no route needs: to be counted against its address. */
  public static Rights ofUnknownPaths() {
    return to(CHARGE_ADDRESSES);
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
