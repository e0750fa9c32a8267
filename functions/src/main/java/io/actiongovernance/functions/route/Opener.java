package io.actiongovernance.functions.route;

/** Who has a browser open an address, as the browser says (Sec-Fetch-Site). */
public enum Opener {
  /** A page of the service; or a program that is no browser, and does what it is told. */
  SERVICE,
  /** Its user: they typed the address, or another program had it opened. */
  USER,
  /** A page of another site. */
  ELSEWHERE
}
