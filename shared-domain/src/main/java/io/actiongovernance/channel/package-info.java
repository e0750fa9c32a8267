/** Channels: doorbells in Slack and by mail, which are told of what waits and decide nothing. */
@NullMarked
package io.actiongovernance.channel;

import org.jspecify.annotations.NullMarked;
