package io.actiongovernance.functions.rights;

import io.actiongovernance.access.DataKeys;
import io.actiongovernance.access.RateLimits;
import io.actiongovernance.channel.Channels;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.session.Sessions;
import io.actiongovernance.store.Table;
import io.actiongovernance.webhook.Endpoints;
import java.util.List;

/** What a function may do, or not, beside its operations on tables, its queues and its timers. */
public enum Right {
  /** Putting facts on the bus. */
  PUBLISH,

  /**
   * Getting the items by which it is known who asks, of {@link Table#STATE}: those of keys,
   * tenants, sessions and people; no others.
   */
  KNOW_CALLERS,

  /**
   * Updating when a key or a session was last used, in the items that hold the hash of a key's
   * secret and in those of sessions, which every authenticated request does now and then; no other
   * attribute, and no other item of {@link Table#STATE}.
   */
  NOTE_KEY_USE,

  /**
   * Updating the items of {@link Table#LIMITS} in which the requests of tenants and callers are
   * counted; no locks, no allowance, no slots.
   */
  CHARGE_CALLERS,

  /** Updating those in which the requests of source addresses are counted; no others. */
  CHARGE_ADDRESSES,

  /** Reading the files of exports. */
  READ_EXPORTS,

  /** Writing them. */
  WRITE_EXPORTS,

  /** Reading the files of results, which are sealed; no others of the bucket. */
  READ_RESULTS,

  /** Writing them. */
  WRITE_RESULTS,

  /** Writing the changes that a relay gives up, and counting how often each was tried. */
  GIVE_UP_CHANGES,

  /** Reading the records of the changes that were given up. */
  READ_GIVEN_UP,

  /** Invoking the models of Bedrock that the deployment names. */
  ASK_MODELS,

  /**
   * Querying the webhook endpoints and channels, whose secrets are sealed; no other items of {@link
   * Table#STATE}.
   */
  FIND_DESTINATIONS,

  /** Marking which events were handed on; no other items of {@link Table#EVENTS}. */
  MARK_HANDED_ON,

  /**
   * Putting receipts of kind {@code config}, which every change of the configuration leaves; no
   * other items of {@link Table#RECEIPTS}.
   */
  RECEIPT_CONFIG;

  /** A part of the partition keys of all items that {@link #MARK_HANDED_ON} is about. */
  public static final String MARKS = "#" + HandedOn.PART + "#";

  /** What the partition keys end with of the items that {@link #RECEIPT_CONFIG} is about. */
  public static final String CONFIG_RECEIPTS = "#" + ReceiptLedger.CONFIG_PART;

  /**
   * What the partition keys end with of the items with wrapped data keys, which whoever opens or
   * seals what is stored reads, and whoever seals puts.
   */
  public static final String DATA_KEYS = "#" + DataKeys.PART;

  /** What the partition keys begin with of the items that {@link #NOTE_KEY_USE} is about. */
  public static final String KEY_SECRETS = "secret#";

  /** What the partition keys are like of the items that {@link #KNOW_CALLERS} is about. */
  public static final List<String> ITEMS_OF_CALLERS =
      List.of("secret#*", "*#tenant", "*#key", "*#" + Sessions.PART, "*#person");

  /** What those of sessions end with that it is about too. */
  public static final String SESSIONS = "#" + Sessions.PART;

  /** What the partition keys end with of the items that {@link #CHARGE_CALLERS} is about. */
  public static final String CALLERS = RateLimits.OF_CALLER;

  /** What they begin with of the items that {@link #CHARGE_ADDRESSES} is about. */
  public static final String ADDRESSES = RateLimits.OF_ADDRESS;

  /** The attributes that {@link #NOTE_KEY_USE} touches: those of the item's key, and one. */
  public static final List<String> KEY_USE =
      List.of(Tables.PARTITION, Tables.RANGE, ApiKeys.NOTES_USE_IN);

  /** What the partition keys end with of the items that {@link #FIND_DESTINATIONS} is about. */
  public static final List<String> DESTINATIONS =
      List.of("#" + Endpoints.PART, "#" + Channels.PART);
}
