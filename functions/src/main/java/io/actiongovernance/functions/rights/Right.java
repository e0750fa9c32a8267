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

/** The rights of functions other than those to table operations, queues and timers. */
public enum Right {
  /** Put facts on the bus. */
  PUBLISH,

  /**
   * Get the items of {@link Table#STATE} that identify callers: only the items of keys, tenants,
   * sessions and people.
   */
  KNOW_CALLERS,

  /**
   * Update the time of last use of a key or a session, as every authenticated request occasionally
   * does. This right covers only that attribute. In {@link Table#STATE} it covers only the items of
   * sessions, and those with the hash of a key's secret.
   */
  NOTE_KEY_USE,

  /**
   * Update the items of {@link Table#LIMITS} that count the requests of tenants and callers, but no
   * locks, allowances or slots.
   */
  CHARGE_CALLERS,

  /** Update only those items of {@link Table#LIMITS} that count requests of source addresses. */
  CHARGE_ADDRESSES,

  /** Read the files of exports. */
  READ_EXPORTS,

  /** Write the files of exports. */
  WRITE_EXPORTS,

  /** Read the files of results, which are sealed, and no others in the bucket. */
  READ_RESULTS,

  /** Write the files of results. */
  WRITE_RESULTS,

  /** Write the changes that a relay gives up, and the number of tries of each. */
  GIVE_UP_CHANGES,

  /** Read the records of the changes that were given up. */
  READ_GIVEN_UP,

  /** Invoke the Bedrock models that the deployment names. */
  ASK_MODELS,

  /**
   * Query only those items of {@link Table#STATE} that are webhook endpoints or channels. Their
   * secrets are sealed.
   */
  FIND_DESTINATIONS,

  /** Update only those items of {@link Table#EVENTS} that mark events as handed on. */
  MARK_HANDED_ON,

  /**
   * Put receipts of kind {@code config}, of which every configuration change leaves one, and no
   * other items of {@link Table#RECEIPTS}.
   */
  RECEIPT_CONFIG;

  /** A part of the partition keys of all items that {@link #MARK_HANDED_ON} covers. */
  public static final String MARKS = "#" + HandedOn.PART + "#";

  /** Suffix of the partition keys of the items that {@link #RECEIPT_CONFIG} covers. */
  public static final String CONFIG_RECEIPTS = "#" + ReceiptLedger.CONFIG_PART;

  /**
   * Suffix of the partition keys of wrapped data keys. Functions that open or seal stored data read
   * these items. Functions that seal also put them.
   */
  public static final String DATA_KEYS = "#" + DataKeys.PART;

  /** Prefix of the partition keys of the items of keys that {@link #NOTE_KEY_USE} covers. */
  public static final String KEY_SECRETS = "secret#";

  /** Patterns of the partition keys of the items that {@link #KNOW_CALLERS} covers. */
  public static final List<String> ITEMS_OF_CALLERS =
      List.of("secret#*", "*#tenant", "*#key", "*#" + Sessions.PART, "*#person");

  /** Suffix of the partition keys of sessions, which {@link #NOTE_KEY_USE} also covers. */
  public static final String SESSIONS = "#" + Sessions.PART;

  /** Suffix of the partition keys of the items that {@link #CHARGE_CALLERS} covers. */
  public static final String CALLERS = RateLimits.OF_CALLER;

  /** Prefix of the partition keys of the items that {@link #CHARGE_ADDRESSES} covers. */
  public static final String ADDRESSES = RateLimits.OF_ADDRESS;

  /** The attributes that {@link #NOTE_KEY_USE} covers: those of the item's key, and one more. */
  public static final List<String> KEY_USE =
      List.of(Tables.PARTITION, Tables.RANGE, ApiKeys.NOTES_USE_IN);

  /** Suffixes of the partition keys of the items that {@link #FIND_DESTINATIONS} covers. */
  public static final List<String> DESTINATIONS =
      List.of("#" + Endpoints.PART, "#" + Channels.PART);
}
