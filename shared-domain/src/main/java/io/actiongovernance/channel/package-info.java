/** Channels: doorbells in Slack and by mail. They report what waits, and decide nothing. */
@NullMarked
package io.actiongovernance.channel;

import org.jspecify.annotations.NullMarked;
