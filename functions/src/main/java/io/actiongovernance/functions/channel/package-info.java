/** Handlers of the routes of channels, and what is said in Slack and by mail. */
@NullMarked
package io.actiongovernance.functions.channel;

import org.jspecify.annotations.NullMarked;
