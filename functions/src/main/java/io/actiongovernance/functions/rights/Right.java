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

/** A function's rights beside its operations on tables, its queues and its timers. */
public enum Right {
  /** Put facts on the bus. */
  PUBLISH,

  /**
   * Get the items of {@link Table#STATE} that identify callers: those of keys, tenants, sessions
   * and people; no others.
   */
  KNOW_CALLERS,

  /**
   * Update the time of last use of a key or a session, as every authenticated request occasionally
   * does. This covers the items with the hash of a key's secret, and those of sessions; no other
   * attribute, and no other item of {@link Table#STATE}.
   */
  NOTE_KEY_USE,

  /**
   * Update the items of {@link Table#LIMITS} that count the requests of tenants and callers; no
   * locks, no allowance, no slots.
   */
  CHARGE_CALLERS,

  /**
   * Update the items of {@link Table#LIMITS} that count requests of source addresses; no others.
   */
  CHARGE_ADDRESSES,

  /** Read the files of exports. */
  READ_EXPORTS,

  /** Write the files of exports. */
  WRITE_EXPORTS,

  /** Read the files of results, which are sealed; no others of the bucket. */
  READ_RESULTS,

  /** Write the files of results. */
  WRITE_RESULTS,

  /** Write the changes that a relay gives up, and count the tries of each. */
  GIVE_UP_CHANGES,

  /** Read the records of the changes that were given up. */
  READ_GIVEN_UP,

  /** Invoke the Bedrock models that the deployment names. */
  ASK_MODELS,

  /**
   * Query the webhook endpoints and channels, whose secrets are sealed; no other items of {@link
   * Table#STATE}.
   */
  FIND_DESTINATIONS,

  /** Mark events as handed on; no other items of {@link Table#EVENTS}. */
  MARK_HANDED_ON,

  /**
   * Put receipts of kind {@code config}, which every configuration change leaves; no other items of
   * {@link Table#RECEIPTS}.
   */
  RECEIPT_CONFIG;

  /** A part of the partition keys of all items of {@link #MARK_HANDED_ON}. */
  public static final String MARKS = "#" + HandedOn.PART + "#";

  /** Suffix of the partition keys of the items of {@link #RECEIPT_CONFIG}. */
  public static final String CONFIG_RECEIPTS = "#" + ReceiptLedger.CONFIG_PART;

  /**
   * Suffix of the partition keys of wrapped data keys. Functions that open or seal stored data read
   * these items; functions that seal also put them.
   */
  public static final String DATA_KEYS = "#" + DataKeys.PART;

  /** Prefix of the partition keys of the items of {@link #NOTE_KEY_USE}. */
  public static final String KEY_SECRETS = "secret#";

  /** Patterns of the partition keys of the items of {@link #KNOW_CALLERS}. */
  public static final List<String> ITEMS_OF_CALLERS =
      List.of("secret#*", "*#tenant", "*#key", "*#" + Sessions.PART, "*#person");

  /** Suffix of the partition keys of sessions, which {@link #NOTE_KEY_USE} also covers. */
  public static final String SESSIONS = "#" + Sessions.PART;

  /** Suffix of the partition keys of the items of {@link #CHARGE_CALLERS}. */
  public static final String CALLERS = RateLimits.OF_CALLER;

  /** Prefix of the partition keys of the items of {@link #CHARGE_ADDRESSES}. */
  public static final String ADDRESSES = RateLimits.OF_ADDRESS;

  /** The attributes of {@link #NOTE_KEY_USE}: those of the item's key, and one more. */
  public static final List<String> KEY_USE =
      List.of(Tables.PARTITION, Tables.RANGE, ApiKeys.NOTES_USE_IN);

  /** Suffixes of the partition keys of the items of {@link #FIND_DESTINATIONS}. */
  public static final List<String> DESTINATIONS =
      List.of("#" + Endpoints.PART, "#" + Channels.PART);
}
