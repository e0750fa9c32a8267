package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import org.jspecify.annotations.Nullable;

/**
 * Action of a plan that is being amended.
 *
 * @param at name of the action in refusals: {@code actions[0]}
 * @param before the action as the plan has it
 * @param args its new arguments; null if it is carried over unchanged
 */
record AmendedAction(String at, Action.Terms before, @Nullable ObjectNode args) {}
