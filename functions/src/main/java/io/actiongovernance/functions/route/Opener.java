package io.actiongovernance.functions.route;

/**
 * The party that made a browser send a request, as the browser states it in {@code Sec-Fetch-Site}.
 */
public enum Opener {
  /** A page of the service, or a client that is not a browser. */
  SERVICE,
  /** The user, who typed the address or opened it from another program. */
  USER,
  /** A page of another site. */
  ELSEWHERE
}
