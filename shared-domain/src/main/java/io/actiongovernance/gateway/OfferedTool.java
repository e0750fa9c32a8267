package io.actiongovernance.gateway;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;

/**
 * A tool within an operator's reach, as agents see it.
 *
 * @param name its name for agents: no dots, at most {@value #LONGEST_NAME} characters
 * @param listed whether the tool is on the list; a tool that is not may be called, and the policy
 *     refuses it
 */
public record OfferedTool(String name, Connector connector, Tool tool, boolean listed) {
  /** Maximum length of a name that every model accepts. */
  public static final int LONGEST_NAME = 64;

  /** Prefix that only the names of the gateway's own tools have. */
  public static final String RESERVED = "governance_";
}
