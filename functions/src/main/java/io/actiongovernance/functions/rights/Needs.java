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
 * The rights that use cases need. They are composed of parts, as the use cases are, and each route
 * and each trigger names its own. A deployment makes one role per function from them, and a test
 * runs every function under exactly these rights.
 */
public final class Needs {
  /** The rights to create or change state of any kind: an operator, a connector or a key. */
  public static final Rights MANAGE = on(STATE, READ, PUT, UPDATE, DELETE).and(to(RECEIPT_CONFIG));

  /**
   * The rights to record that an overdue plan has expired, or that a plan was vetoed. Each action
   * gets its receipt.
   */
  public static final Rights CLOSE = on(STATE, READ, PUT, UPDATE).and(on(RECEIPTS, PUT));

  /**
   * The rights to claim a plan, its locks, limits and allowance, and to dispatch its actions and
   * dispose of them.
   */
  public static final Rights RUN =
      CLOSE
          .and(on(EFFECTS, READ, PUT, UPDATE))
          .and(on(LIMITS, READ, PUT, UPDATE, DELETE))
          .and(sending(Queue.ACTIONS, Queue.RESUME));

  /**
   * The rights to vote and to withdraw a vote, which read recent changes and use up a challenge.
   */
  public static final Rights VOTE = on(STATE, DELETE).and(reading(RECEIPTS));

  /**
   * The rights to use the envelope log. Its readers also write, to close the gaps of writers that
   * died.
   */
  public static final Rights LOG = on(EVENTS, READ, PUT, UPDATE);

  /**
   * The rights to make a plan from an event or an agent's proposal, and to start it if nothing is
   * held.
   */
  public static final Rights PROPOSE = RUN.and(LOG);

  /** The rights to issue and accept list cursors, which are sealed. */
  public static final Rights CURSORS = sealing(Purpose.CURSOR);

  /** The rights to wait for a result in a slot, which is taken and given back. */
  public static final Rights WAIT = on(LIMITS, READ, UPDATE, DELETE);

  private Needs() {}

  /**
   * The rights of the request pipeline.
   *
   * @param known whether callers identify themselves
   * @param idempotent whether requests may have an Idempotency-Key
   */
  public static Rights ofRequests(boolean known, boolean idempotent) {
    Rights pipeline = ofUnknownPaths();
    if (known) {
      pipeline = pipeline.and(to(KNOW_CALLERS, NOTE_KEY_USE, CHARGE_CALLERS));
    }
    // Stored answers are sealed.
    return idempotent
        ? pipeline.and(on(IDEMPOTENCY, READ, PUT, UPDATE, DELETE)).and(sealing(Purpose.ANSWER))
        : pipeline;
  }

  /** The rights for a request to an unknown path, which is counted against its source address. */
  public static Rights ofUnknownPaths() {
    return to(CHARGE_ADDRESSES);
  }

  /** Returns whether the rights include the kernel's right to append to the ledger. */
  public static boolean appendsReceipts(Rights rights) {
    return rights.permit(PUT, RECEIPTS);
  }

  /** Returns whether the rights include appending receipts of configuration changes. */
  public static boolean receiptsConfig(Rights rights) {
    return rights.permit(RECEIPT_CONFIG);
  }
}
