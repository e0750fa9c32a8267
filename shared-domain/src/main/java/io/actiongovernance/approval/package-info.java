/** Approval by people: policies of approval, votes, and who may give one (contract for people). */
@NullMarked
package io.actiongovernance.approval;

import org.jspecify.annotations.NullMarked;
