/** Signing in and out: tickets, sessions, and who one is. */
@NullMarked
package io.actiongovernance.functions.session;

import org.jspecify.annotations.NullMarked;
