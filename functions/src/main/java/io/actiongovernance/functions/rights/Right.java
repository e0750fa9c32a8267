package io.actiongovernance.functions.rights;

import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.Table;
import io.actiongovernance.webhook.Endpoints;

/** What a function may do, or not, beside its operations on tables, its queues and its timers. */
public enum Right {
  /** Putting facts on the bus. */
  PUBLISH,

  /** Reading the master key. */
  UNSEAL,

  /**
   * Updating the items that hold the hash of a key's secret, which every authenticated request does
   * now and then; no other item of {@link Table#STATE}.
   */
  NOTE_KEY_USE,

  /** Reading the files of exports. */
  READ_EXPORTS,

  /** Writing them. */
  WRITE_EXPORTS,

  /** Invoking the models of Bedrock that the deployment names. */
  ASK_MODELS,

  /**
   * Querying the webhook endpoints, whose secrets are sealed; no other items of {@link
   * Table#STATE}.
   */
  FIND_ENDPOINTS,

  /**
   * Putting receipts of kind {@code config}, which every change of the configuration leaves; no
   * other items of {@link Table#RECEIPTS}.
   */
  RECEIPT_CONFIG;

  /** What the partition keys end with of the items that {@link #RECEIPT_CONFIG} is about. */
  public static final String CONFIG_RECEIPTS = "#" + ReceiptLedger.CONFIG_PART;

  /** What the partition keys begin with of the items that {@link #NOTE_KEY_USE} is about. */
  public static final String KEY_SECRETS = "secret#";

  /** What the partition keys end with of the items that {@link #FIND_ENDPOINTS} is about. */
  public static final String ENDPOINTS = "#" + Endpoints.PART;
}
