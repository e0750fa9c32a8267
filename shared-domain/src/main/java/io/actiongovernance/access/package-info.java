/** Rights and limits: callers, scopes, roles, rate limits, quotas, the allowance. */
@NullMarked
package io.actiongovernance.access;

import org.jspecify.annotations.NullMarked;
