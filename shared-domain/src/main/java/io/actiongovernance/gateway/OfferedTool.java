package io.actiongovernance.gateway;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;

/**
 * A tool within an operator's reach, as agents are offered it.
 *
 * @param name what it is called by: no dots, at most {@value #LONGEST_NAME} characters
 * @param listed whether it is on the list; one that is not may be called, and is refused by the
 *     policy
 */
public record OfferedTool(String name, Connector connector, Tool tool, boolean listed) {
  /** The most characters of a name that every model takes. */
  public static final int LONGEST_NAME = 64;

  /** What the names of the gateway's own tools begin with, and no other's. */
  public static final String RESERVED = "governance_";
}
