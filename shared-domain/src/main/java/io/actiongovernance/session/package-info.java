/** Sign-in: tickets, and the sessions that they and people begin. */
@NullMarked
package io.actiongovernance.session;

import org.jspecify.annotations.NullMarked;
