package io.actiongovernance.policy.analysis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.policy.Candidate;
import java.util.function.Predicate;

/**
 * A tool that an operator can use.
 *
 * @param read whether it only reads; the source system's word alone is not enough
 * @param binds the arguments from which policy reads its fields
 * @param args the smallest arguments that the tool accepts
 * @param proposable whether an action on it could be proposed; only such actions are shown
 */
public record Target(
    ConnectorId connector,
    String tool,
    int tier,
    boolean read,
    Binds binds,
    ObjectNode args,
    Predicate<Candidate> proposable) {}
