/** Handlers of the channel routes, and the messages in Slack and by mail. */
@NullMarked
package io.actiongovernance.functions.channel;

import org.jspecify.annotations.NullMarked;
