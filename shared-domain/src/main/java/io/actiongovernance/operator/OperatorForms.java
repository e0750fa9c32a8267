package io.actiongovernance.operator;

import io.actiongovernance.receipt.PublicForm;

/**
 * How an operator, and its guardrails, are answered by the routes that retrieve them: what the
 * receipts of their changes attest.
 */
public record OperatorForms(PublicForm<Operator> operator, PublicForm<Operator> guardrails) {}
