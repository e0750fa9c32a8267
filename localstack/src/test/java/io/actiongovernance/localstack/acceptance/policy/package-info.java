/** Guardrails: their verdicts, versions, simulation and analysis. */
@NullMarked
package io.actiongovernance.localstack.acceptance.policy;

import org.jspecify.annotations.NullMarked;
