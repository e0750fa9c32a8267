/** Rollback to the versions of functions that ran before the last deployment. */
@NullMarked
package io.actiongovernance.infra.rollback;

import org.jspecify.annotations.NullMarked;
