/** Signing in and out: tickets, sessions, and the caller's own identity. */
@NullMarked
package io.actiongovernance.functions.session;

import org.jspecify.annotations.NullMarked;
