package io.actiongovernance.operator;

/** What became of an attempt to create or change an operator (contract, section 4). */
public sealed interface OperatorOutcome {
  /** It was done; this is the operator as it now is. */
  record Done(Operator operator) implements OperatorOutcome {}

  /** There is no such operator, or the key does not see it. */
  record NotFound() implements OperatorOutcome {}

  /** The operator's status does not admit it. */
  record WrongState(OperatorStatus status) implements OperatorOutcome {}

  /** Another operator that is not archived has the name. */
  record NameTaken(String name) implements OperatorOutcome {}

  /** The tenant has as many active operators as it may. */
  record QuotaExceeded(int quota) implements OperatorOutcome {}

  /** No connector that the operator may use fulfils the capability. */
  record CapabilityUnbound(String capability) implements OperatorOutcome {}

  /** The guardrails have another version than the one expected. */
  record StaleGuardrails(long version) implements OperatorOutcome {}
}
