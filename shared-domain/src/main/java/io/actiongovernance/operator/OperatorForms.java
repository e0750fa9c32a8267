package io.actiongovernance.operator;

import io.actiongovernance.receipt.PublicForm;

/**
 * Published forms of an operator and its guardrails, as the routes that retrieve them return them.
 * The receipts of their changes attest these forms.
 */
public record OperatorForms(PublicForm<Operator> operator, PublicForm<Operator> guardrails) {}
