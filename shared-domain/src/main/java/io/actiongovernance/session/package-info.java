/** Sign-in: tickets, and the sessions that tickets and people begin. */
@NullMarked
package io.actiongovernance.session;

import org.jspecify.annotations.NullMarked;
