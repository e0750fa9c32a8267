/** Approval by people: approval policies, votes, and who may vote (contract for people). */
@NullMarked
package io.actiongovernance.approval;

import org.jspecify.annotations.NullMarked;
