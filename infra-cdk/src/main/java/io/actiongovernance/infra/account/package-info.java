/** The limits of an AWS account, which are checked before anything is deployed into it. */
@NullMarked
package io.actiongovernance.infra.account;

import org.jspecify.annotations.NullMarked;
