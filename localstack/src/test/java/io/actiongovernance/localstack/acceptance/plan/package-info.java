/** Plans: proposed, approved, amended, vetoed, waited for, expired. */
@NullMarked
package io.actiongovernance.localstack.acceptance.plan;

import org.jspecify.annotations.NullMarked;
