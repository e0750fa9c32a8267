package io.actiongovernance.policy.analysis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.policy.Candidate;
import java.util.function.Predicate;

/**
 * A tool that an operator can use.
 *
 * @param args arguments the tool takes, as few as can be
 * @param proposable whether an action on it could be proposed: only such are shown
 */
public record Target(
    ConnectorId connector,
    String tool,
    int tier,
    ObjectNode args,
    Predicate<Candidate> proposable) {}
